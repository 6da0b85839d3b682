import { fold } from "../Text/PlainText.ts"

/** Remarks that a contact must not be used. Only these phrases count. */
const phrases = [
  "não usar|não use|não utilizar|não enviar|não ligar|não existe mais|não existe|não é mais|inexistente",
  "desativado|desativada|antigo|antiga|velho|velha|errado|errada|incorreto|incorreta|inválido|inválida",
  "no usar|no utilizar|no enviar|no llamar|no existe|ya no|dado de baja|dada de baja|desactivado|desactivada",
  "antiguo|antigua|viejo|vieja|anterior|equivocado|equivocada|incorrecto|incorrecta|desconectado|desconectada",
  "do not use|don't use|do not call|don't call|do not email|don't email|do not contact|don't contact|not in use",
  "no longer used|no longer valid|no longer works|old|previous|former|wrong|incorrect|invalid|bounced|bounces|disconnected"
]
const markedUnusable = new RegExp(`(?<![\\p{L}\\p{N}@._-])(?:${fold(phrases.join("|"))})(?![\\p{L}\\p{N}@._-])`, "u")

const letter = /\p{L}/u
const bareAddress = /^[\p{L}\p{N}._-]+@[\p{L}\p{N}._-]+$/u

/** Whether a text with a contact says not to use it. Most cells are a bare number or address, which say nothing. */
export const isMarkedUnusable = (text: string): boolean =>
  letter.test(text) && !bareAddress.test(text) && markedUnusable.test(fold(text))
