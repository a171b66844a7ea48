import { expect, test } from 'vitest'
import { nameStartsWith, nameContains } from './name-search.ts'

const MATCHES: [queries: string[], names: string[]][] = [
  [
    ['OBrien', 'o brien', "O'Brien", 'O’Brien', 'O‘BRIEN', 'obr', "tom o'brien", 'Tom OBrien'],
    ["Tom O'Brien", 'Tom O’Brien', 'Tom OBrien', 'Tom O Brien', "Tom O' Brien"],
  ],
  [
    ['Mueller', 'Müller', 'MÜLLER', 'Mu\u0308ller', 'muel'],
    ['Jörg Müller', 'Jo\u0308rg Mu\u0308ller', 'Joerg Mueller'],
  ],
  [
    ['Muller', 'muller jorg'],
    ['Jörg Müller', 'Jorg Muller'],
  ],
  [['Smith-Jones', 'smith jones', 'smithjones', 'Smith‑Jones', 'jones'], ['Ann Smith-Jones']],
  [
    ['Smith-Jones', 'smithjones'],
    ['Ann Smith Jones', 'Ann SmithJones'],
  ],
  [
    ['grosse', 'große', 'GROSSE'],
    ['Ute Große', 'Ute Grosse'],
  ],
  [['bjorn', 'bjoern', 'bjørn'], ['Bjørn Dahl']],
  [['bjoern', 'bjørn'], ['Bjoern Dahl']],
  [['aberg', 'aaberg', 'åberg'], ['Liv Åberg']],
  [['aaberg', 'åberg'], ['Liv Aaberg']],
  [['lukasz', 'łukasz'], ['Łukasz Żółć']],
  [['dang', 'đặng'], ['Đặng Thị Hoa']],
  [['djokovic', 'dokovic', 'đoković'], ['Nina Đoković']],
  [['jr', 'Jr.', 'adams jr', 'j.r. adams', 'jr adams'], ['J.R. Adams Jr.']],
  [
    ['st louis', 'St. Louis', 'stlouis'],
    ['Ann St. Louis', 'Ann St.Louis'],
  ],
  [
    ['okina', '‘okina', 'ʻokina'],
    ['ʻOkina Kahale', '‘Okina Kahale', "'Okina Kahale"],
  ],
  [['adams ken', 'Adams, Ken', 'ken ad'], ['Ken Adams']],
  [['山田'], ['山田 太郎']],
  [
    ['می رضا', 'می\u200Cرضا', 'میرضا'],
    ['می\u200Cرضا احمدی', 'میرضا احمدی'],
  ],
  [
    ['zoe adams', 'Zo\u00ADë Ad\u2060ams', '\u200Ezoe'],
    ['Zo\u00ADë Adams', 'Z\u200Doë Ad\u2060ams', '\uFEFFZoë\u200B Adams', 'Zoe\uFE0F Adams'],
  ],
  [['', '  ', '\u200C'], ['Anybody']],
]
test.each(MATCHES)('each of the searches %j finds each of the names %j', (queries, names) => {
  for (const query of queries)
    for (const name of names) {
      expect([query, name, nameContains(query)(name)]).toEqual([query, name, true])
      expect([query, name, nameStartsWith(query)(name)]).toEqual([query, name, true])
    }
})

test('does not find a name that is only similar', () => {
  const misses: [query: string, name: string][] = [
    ['joe', 'Johanna Adams'],
    ['sue', 'Susan Adams'],
    ['obrian', "Tom O'Brien"],
    ['zora', 'Zoë Müller'],
    ['leeann', 'Ann Lee'],
  ]
  for (const [query, name] of misses)
    expect([query, nameContains(query)(name), nameStartsWith(query)(name)]).toEqual([
      query,
      false,
      false,
    ])
  // A match may begin inside a word, but it must not run into the next word.
  expect(nameContains('rien')("Tom O'Brien")).toBe(true)
  expect(nameContains('ann')('Joan Nelson')).toBe(false)
  expect(nameStartsWith('rie')("Tom O'Brien")).toBe(false)
})
