import { expect, it } from 'vitest'
import { canBeRead, canBeSeen } from './visible-text.js'

it.each(['a', '7', '٣', 'é', '承認', '✓', '👍', '⠓', '€', '— a —'])('%j can be read', text => {
  expect([canBeSeen(text), canBeRead(text)]).toEqual([true, true])
})

it.each(['...', '-----', '|---|', '{[[{', '¦', '\ufffd\ufffd', '\ufffc'])('%j can be seen and not read', text => {
  expect([canBeSeen(text), canBeRead(text)]).toEqual([true, false])
})

it.each(['', ' \n\t', '\u00a0', '\u200b\ufeff', '\u202e', '\u2800', '\u3164', '\uffa0', '\u0301', '\u{e0100}'])(
  '%j cannot be seen',
  text => {
    expect([canBeSeen(text), canBeRead(text)]).toEqual([false, false])
  },
)
