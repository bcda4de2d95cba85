import { describe, expect, it, vi } from 'vitest'
import { isPersonName, personKey } from './person-name.js'
import { canBeSeen } from './visible-text.js'

const ordinary = [
  'J. Doe',
  'a.weber',
  'Ада Лавлейс-O’Neil',
  '山田太郎',
  '葛\u{e0100}城',
  'علی\u200cرضا',
  'ශ්\u200dරී',
  'முருகன்',
  '김철수',
  'Ng',
  '7',
  '👩\u200d🔧',
]

describe('the name of a person', () => {
  it('is written in any script', () => {
    for (const name of ordinary) expect([name, isPersonName(name)]).toEqual([name, true])
  })

  it('is none where nothing of it can be seen', () => {
    for (const blank of [
      '',
      '   ',
      '\t',
      '\u00a0',
      '\u3000',
      '\u2800',
      '\u00ad',
      '\u034f\ufe0f',
      '\u3164',
      '\uffa0',
      '\u{e0100}',
      '\u0301 ',
      '\u200d',
    ])
      expect([blank, canBeSeen(blank), isPersonName(blank)]).toEqual([blank, false, false])
  })

  it('is not that of the service, however it is written', () => {
    for (const own of ['system', 'System', ' SYSTEM ', 'sys\u00adtem', 'ｓｙｓｔｅｍ', 'ſystem', 'system\u2800'])
      expect([own, isPersonName(own)]).toEqual([own, false])
    expect(isPersonName('systems')).toBe(true)
  })

  it('is folded only as long as a name may be', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    expect(isPersonName(`a${'\u0301\u0316'.repeat(500_000)}`)).toBe(true)
    expect(normalize).not.toHaveBeenCalled()
    normalize.mockRestore()
  })

  it.each([
    ['J. Doe', 'J.Doe'],
    ['j.\u00a0 DOE ', 'J. Doe'],
    ['José', 'J osé'],
    ['José', 'JOSE\u0301'],
    ['José', 'jose\u034f\u0301'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['Ann', 'Ann\u00ad'],
    ['Ann', 'A\u034fnn'],
    ['Ann', 'Ann\ufe0f'],
    ['Ann', 'Ａｎｎ\u2800'],
    ['ΟΔΥΣΣΕΥΣ', 'Οδυσσευς'],
    ['J\u030can', 'ǰan'],
  ])('is that of one person as %j and as %j', (one, other) => {
    expect(personKey(one)).toBe(personKey(other))
  })

  it('is that of another person where something else can be seen', () => {
    const others = ['Ann', 'Anne', 'Än', 'Jose', 'José', 'J. Doe', 'J Doe', ...ordinary]
    expect(new Set(others.map(personKey)).size).toBe(new Set(others).size)
  })
})
