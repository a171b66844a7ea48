import { randomInt } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { sha256 } from '../lib/secrets.ts'
import { recoveryCodes } from './tables.ts'

const CODE_COUNT = 10
/** There is no 0, 1, l or o, because they look alike on paper. */
const LETTERS = '23456789abcdefghijkmnpqrstuvwxyz'
const GROUPS = 4,
  GROUP_LENGTH = 4

/** A code like "abcd-efgh-jkmn-pqrs". Its 80 random bits make a slow hash unnecessary. */
const newCode = () =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-')

const hashOf = (code: string) => sha256(code.toLowerCase().replaceAll(/[^a-z\d]/g, ''))

export async function renewRecoveryCodes(tx: Tx, account_id: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, newCode)
  await deleteRecoveryCodes(tx, account_id)
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ account_id, code_hash: hashOf(code) })))
  return codes
}

export const countRecoveryCodes = (tx: Tx, accountId: string): Promise<number> =>
  tx.$count(recoveryCodes, eq(recoveryCodes.account_id, accountId))

/** Creates recovery codes for an account that has none. */
export async function firstRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const hasCodes = (await countRecoveryCodes(tx, accountId)) > 0
  return hasCodes ? [] : renewRecoveryCodes(tx, accountId)
}

/** True for a valid code, which is then used up. */
export async function takeRecoveryCode(tx: Tx, accountId: string, code: string): Promise<boolean> {
  const usedCodes = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.account_id, accountId), eq(recoveryCodes.code_hash, hashOf(code))))
    .returning({ hash: recoveryCodes.code_hash })
  return usedCodes.length > 0
}

export const deleteRecoveryCodes = (tx: Tx, accountId: string) =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.account_id, accountId))
