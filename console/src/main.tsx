import "./styles/index.css"
import { createRoot } from "react-dom/client"
import { Console } from "./app/Console.tsx"
import { takeFirstAnswers } from "./app/FirstView.ts"
import { firstTexts } from "./early.ts"
import { loadFont } from "./styles/font.ts"

void firstTexts.then(() => {
  takeFirstAnswers()
  const root = document.getElementById("root")
  if (root !== null) createRoot(root).render(<Console />)
  loadFont()
})
