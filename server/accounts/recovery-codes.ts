import { randomInt } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { sha256 } from '../lib/secrets.ts'
import { recoveryCodes } from './tables.ts'

const CODE_COUNT = 10
/** No 0, 1, l or o, because they look alike on paper. */
const CODE_CHARACTERS = '23456789abcdefghijkmnpqrstuvwxyz'
const GROUP_COUNT = 4
const GROUP_LENGTH = 4

const pickRandomCharacter = () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]
const generateGroup = () => Array.from({ length: GROUP_LENGTH }, pickRandomCharacter).join('')

/** Returns a code such as "abcd-efgh-jkmn-pqrs". */
const generateCode = () => Array.from({ length: GROUP_COUNT }, generateGroup).join('-')

/** A fast hash is enough, because a code has 80 random bits. */
const hashCode = (code: string) => sha256(code.toLowerCase().replaceAll(/[^a-z\d]/g, ''))

/** Replaces the account's recovery codes. */
export async function renewRecoveryCodes(tx: Tx, account_id: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, generateCode)
  await deleteRecoveryCodes(tx, account_id)
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ account_id, code_hash: hashCode(code) })))
  return codes
}

export const countRecoveryCodes = (tx: Tx, accountId: string): Promise<number> =>
  tx.$count(recoveryCodes, eq(recoveryCodes.account_id, accountId))

/** Returns new recovery codes, or an empty list if the account already has some. */
export async function createFirstRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const hasCodes = (await countRecoveryCodes(tx, accountId)) > 0
  return hasCodes ? [] : renewRecoveryCodes(tx, accountId)
}

/** Returns true for a valid code, which then no longer works. */
export async function redeemRecoveryCode(
  tx: Tx,
  accountId: string,
  code: string,
): Promise<boolean> {
  const usedCodes = await tx
    .delete(recoveryCodes)
    .where(
      and(eq(recoveryCodes.account_id, accountId), eq(recoveryCodes.code_hash, hashCode(code))),
    )
    .returning({ hash: recoveryCodes.code_hash })
  return usedCodes.length > 0
}

export const deleteRecoveryCodes = (tx: Tx, accountId: string) =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.account_id, accountId))
