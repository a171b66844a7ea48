import webPush from 'web-push'
import type { Database, Tx } from '../db/database.ts'
import { vapidKeys } from './tables.ts'

export type PushKeys = { publicKey: string; privateKey: string }

async function findKeys(tx: Tx): Promise<PushKeys | undefined> {
  const [row] = await tx.select().from(vapidKeys)
  return row && { publicKey: row.public_key, privateKey: row.private_key }
}

/** The key pair of this Tatami, the same for good: browsers subscribe with its public half. Made once, however many servers start first. */
export async function makePushKeys(db: Database): Promise<PushKeys> {
  return db.withoutDojo(async (tx) => {
    const known = await findKeys(tx)
    if (known) return known
    const { publicKey: public_key, privateKey: private_key } = webPush.generateVAPIDKeys()
    await tx.insert(vapidKeys).values({ public_key, private_key }).onConflictDoNothing()
    return (await findKeys(tx))!
  })
}

/** Asks once; what failed is asked again. */
export function pushKeysOf(db: Database): () => Promise<PushKeys> {
  let asked: Promise<PushKeys> | undefined
  return () => {
    asked ??= makePushKeys(db)
    asked.catch(() => {
      asked = undefined
    })
    return asked
  }
}
