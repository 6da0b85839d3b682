import "./styles/index.css"
import { createRoot } from "react-dom/client"
import { Console } from "./app/Console.tsx"
import { beginFirstView } from "./app/FirstView.ts"
import { loadFont } from "./styles/font.ts"

beginFirstView()
const root = document.getElementById("root")
if (root !== null) createRoot(root).render(<Console />)
loadFont()
