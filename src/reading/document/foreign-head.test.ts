import { describe, expect, it } from 'vitest'
import { foreignHead } from './foreign-head.js'

const german = 'Die Miete ist am ersten Tag des Monats zu zahlen und wird auf das Konto der Vermieterin überwiesen.'
const french = 'Le montant des travaux est de douze mille euros et les fenêtres sont posées par une entreprise locale.'

describe('German and French papers', () => {
  it.each([
    [
      `Hausverwaltung Lindner KG\nTorgasse 4 · 04109 Leipzig\n\nLeipzig, den 18. März 2025\n\n${german}`,
      'Hausverwaltung Lindner KG',
      '2025-03-18',
    ],
    [`Gutachten\nAussteller: Büro Petersen\nDatum: 20.05.2025\n\n${german}`, 'Büro Petersen', '2025-05-20'],
    [`Atelier Moreau SARL\n3, rue du Port\n29200 Brest\n\nBrest, le 1er avril 2024\n\n${french}`, 'Atelier Moreau SARL', '2024-04-01'],
    [`Devis\nÉmetteur : Mairie de Valbourg\nDate : 6 janvier 2025\n\n${french}`, 'Mairie de Valbourg', '2025-01-06'],
    [`AVENANT\n\n${french}\n\nFait à Brest, le 4 mars 2024`, null, '2024-03-04'],
  ])('say who issued them and when: %#', (text, issuer, issuedOn) => {
    expect(foreignHead(text)).toEqual({ issuer, issuedOn })
  })

  it('take no day of another paper for their own, and no party of a contract for the issuer', () => {
    const text = `NACHTRAG\nzum Bauvertrag vom 14. März 2024\n\nzwischen der\nLindner KG, Torgasse 4, 04109 Leipzig\n\n${german}`
    expect(foreignHead(text)).toEqual({ issuer: null, issuedOn: null })
  })

  it('leave English papers to the rules', () => {
    expect(foreignHead('Report of the board\n\nThe pump was not in service and the valve is closed by the crew of the day.')).toBe(null)
  })
})
