import { isPersonalPassword, type PasswordRules } from '@tatami/contract/accounts/passwords'
import { sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { type Database, insideDojo, type Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { guardians } from '../guardians/tables.ts'
import { invalid } from '../lib/refusal.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { systemConfig } from '../texting/tables.ts'
import { requireAccount } from './accounts.ts'

const ADVICE = 'Try three or four unrelated words.'
const COMMON_PASSWORD = `Many people use this password, so it is easy to guess. ${ADVICE}`
const PERSONAL_PASSWORD =
  'This password uses your name, your email or your dojo’s name, ' +
  `so it is easy to guess. ${ADVICE}`

const MIN_LENGTH = 8
let commonPasswords: Promise<Set<string>> | undefined

/** About 18,000 leaked passwords, in lowercase. */
async function loadCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const longPasswords = dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH)
  return new Set(longPasswords.map((password) => password.toLowerCase()))
}

export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords()
  const passwords = await commonPasswords
  const lowercasePassword = password.toLowerCase()
  // "Password2026!" is as easy to guess as "password".
  const passwordWithoutSuffix = lowercasePassword.replace(/[^\p{L}]+$/u, '')
  const isLongEnough = passwordWithoutSuffix.length >= MIN_LENGTH
  return passwords.has(lowercasePassword) || (isLongEnough && passwords.has(passwordWithoutSuffix))
}

/** Common and personal passwords are allowed unless a super admin forbids them on this server. */
export async function readPasswordRules(tx: Tx): Promise<PasswordRules> {
  const [config] = await tx.select().from(systemConfig)
  return { refuses_common: config?.refuses_common_passwords ?? false }
}

export async function setPasswordRules(
  tx: Tx,
  actor_id: string,
  { refuses_common }: PasswordRules,
): Promise<PasswordRules> {
  const values = { refuses_common_passwords: refuses_common }
  await tx
    .insert(systemConfig)
    .values(values)
    .onConflictDoUpdate({ target: systemConfig.singleton, set: values })
  await auditAction(tx, { id: actor_id, dojoId: null }, 'common passwords switched', {
    details: { refuses_common },
  })
  return { refuses_common }
}

export async function refuseCommonPassword(
  db: Database,
  field: string,
  password: string,
): Promise<void> {
  if (!(await isCommonPassword(password))) return
  const { refuses_common } = await db.withoutDojo(readPasswordRules)
  if (refuses_common) throw invalid(field, COMMON_PASSWORD)
}

/** Refuses a password that consists mostly of words from `personalTexts`, such as names. */
export async function refusePersonalPassword(
  tx: Tx,
  field: string,
  password: string,
  personalTexts: readonly (string | null | undefined)[],
): Promise<void> {
  if (!isPersonalPassword(password, personalTexts)) return
  const { refuses_common } = await readPasswordRules(tx)
  if (refuses_common) throw invalid(field, PERSONAL_PASSWORD)
}

export async function refusePersonalPasswordOfAccount(
  tx: Tx,
  accountId: string,
  field: string,
  password: string,
): Promise<void> {
  const account = await requireAccount(tx, accountId)
  const { dojo_id, email } = account
  const names = dojo_id
    ? await insideDojo(tx, dojo_id, (dojoTx) => listPersonalNames(dojoTx, dojo_id, accountId))
    : []
  await refusePersonalPassword(tx, field, password, [email, ...names])
}

async function listPersonalNames(tx: Tx, dojoId: string, accountId: string) {
  const { rows } = await tx.execute<{ name: string | null }>(sql`
    select ${dojos.name} from ${dojos} where ${dojos.id} = ${dojoId}
    union all select ${instructors.name} from ${instructors} where ${instructors.id} = ${accountId}
    union all select ${students.name} from ${students} where ${students.id} = ${accountId}
    union all select ${guardians.name} from ${guardians} where ${guardians.id} = ${accountId}`)
  return rows.map(({ name }) => name)
}
