import { sql } from 'drizzle-orm'
import { insideDojo, type Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { guardians } from '../families/tables.ts'
import { invalid } from '../lib/refusal.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { accountById } from './accounts.ts'

const ADVICE = 'Choose another, three or four words that do not belong together for example.'
const COMMON = `Many people use this password, so it is among the first that are guessed. ${ADVICE}`
const OWN_WORDS = `This password is made of your name, your email or your dojo’s name, which are among the first that are guessed. ${ADVICE}`

/** Shorter ones are refused for their length. */
const MIN_LENGTH = 8
/** Of what is left without one's own words, this many letters must remain for them not to count. */
const OTHER_LETTERS = 4
const MIN_WORD = 3

let common: Promise<Set<string>> | undefined

/** The passwords of leaked lists that are long enough to be chosen here, 18,000, in lower case. Loaded when the first one is chosen. */
async function commonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const long = dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH)
  return new Set(long.map((password) => password.toLowerCase()))
}

/** Refuses with 422 a password that many people use, whatever the case of its letters and with digits or marks after it. */
export async function refuseCommonPassword(field: string, password: string): Promise<void> {
  common ??= commonPasswords()
  const known = await common
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}]+$/u, '')
  if (known.has(lower) || (bare.length >= MIN_LENGTH && known.has(bare)))
    throw invalid(field, COMMON)
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
const wordsOf = (text: string) =>
  [text, ...text.split(/[^\p{L}]+/u)].map(lettersOf).filter(({ length }) => length >= MIN_WORD)

/** Refuses with 422 a password whose letters are hardly more than words of `about`: names, an email, the dojo's name. */
export function refuseWords(
  field: string,
  password: string,
  about: (string | null | undefined)[],
): void {
  const words = about.flatMap((text) => wordsOf(text ?? '')).toSorted((a, b) => b.length - a.length)
  const letters = lettersOf(password)
  const others = words.reduce((left, word) => left.replaceAll(word, ''), letters)
  if (others.length < letters.length && others.length < OTHER_LETTERS)
    throw invalid(field, OWN_WORDS)
}

/** As `refuseWords`, with what the database knows of the account. */
export async function refuseOwnWords(
  tx: Tx,
  accountId: string,
  field: string,
  password: string,
): Promise<void> {
  const account = (await accountById(tx, accountId))!
  const names = account.dojo_id
    ? await insideDojo(tx, account.dojo_id, (dojo) => namesIn(dojo, account.dojo_id!, accountId))
    : []
  refuseWords(field, password, [account.email, ...names])
}

async function namesIn(tx: Tx, dojoId: string, id: string): Promise<(string | null)[]> {
  const { rows } = await tx.execute<{ name: string | null }>(sql`
    select ${dojos.name} from ${dojos} where ${dojos.id} = ${dojoId}
    union all select ${instructors.name} from ${instructors} where ${instructors.id} = ${id}
    union all select ${students.name} from ${students} where ${students.id} = ${id}
    union all select ${guardians.name} from ${guardians} where ${guardians.id} = ${id}`)
  return rows.map(({ name }) => name)
}
