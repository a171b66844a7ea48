import type { ListedSession } from '@tatami/contract/sign-in'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { isUnexpired } from './sessions.ts'
import { sessions } from './tables.ts'

/** The caller's sessions that have not ended, the last used first. */
export const sessionsOf = (tx: Tx, { id, sessionId }: Caller): Promise<ListedSession[]> =>
  tx
    .select({
      id: sessions.id,
      device: sessions.device,
      address: sessions.address,
      created_at: sessions.created_at,
      last_used_at: sessions.last_used_at,
      is_current: sql<boolean>`${sessions.token_hash} = ${sessionId}`,
    })
    .from(sessions)
    .where(and(eq(sessions.account_id, id), isUnexpired()))
    .orderBy(
      desc(sql`${sessions.token_hash} = ${sessionId}`),
      desc(sessions.last_used_at),
      sessions.id,
    )
