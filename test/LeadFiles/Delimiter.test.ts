import { describe, expect, it } from "vitest"
import { delimiterLine, detectDelimiter } from "../../src/Layers/LeadFiles/LeadFileReader/Delimiter.ts"

describe("the delimiter", () => {
  it.each([
    [";", "Nome;E-mail\nSilva, João;a@b.co\nSouza, Ana;b@b.co"],
    [",", "Nome,E-mail,Notas\nAna,a@b.co,x; y; z\nBia,b@b.co,w"],
    [",", 'Nome,Notas\n"a;b;c;d","e;f\ng;h"\n"a;b","c"'],
    [",", 'Nome,Tela\nAna,15" ; 17"\nBia,13"'],
    ["\t", "Nome\tNotas\nAna\tx, y; z\nBia\t1,5"],
    ["|", "Nome|E-mail\nAna|a@b.co"],
    [";", "Relatório, maio, 2024\nNome;E-mail\nAna;a@b.co\nBia;b@b.co"],
    [";", "\n\r\n;;\nNome;E-mail"],
    ["\u001f", "a@b.co\nb@b.co"],
    ["\u001f", ""]
  ])("is %j in %j", (delimiter, text) => {
    expect(detectDelimiter(text)).toBe(delimiter)
  })

  it("may be named in the first line", () => {
    expect(delimiterLine("sep=;\r\nNome")).toEqual({ delimiter: ";", length: 7 })
    expect(delimiterLine('"sep=\t"\nNome')).toEqual({ delimiter: "\t", length: 8 })
    expect(delimiterLine("sep=x\nNome")).toBeUndefined()
    expect(delimiterLine("Nome;E-mail\nsep=;\n")).toBeUndefined()
  })
})
