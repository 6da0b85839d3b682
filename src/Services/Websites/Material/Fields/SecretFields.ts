import { fold } from "../../../Text/PlainText.ts"

// No form asks for these.
const secret =
  /\b(?:senhas?|passwords?|contrasenas?|clave|pin|cartao|cartoes|cards?|tarjetas?|cvv|cvc|validade do|expiry|cpf do cartao|credit|security code|codigo de seguranca|iban)\b/

/** Whether a field would collect a password or a card. */
export const isSecret = (label: string): boolean => secret.test(fold(label))
