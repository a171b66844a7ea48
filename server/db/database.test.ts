import { type AddressInfo, connect as dial, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inArray, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { insertDojo } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import { startTestServer } from '../test/test-server.ts'
import { newId } from './columns.ts'
import { connect, insideDojo, type Tx } from './database.ts'
import { isUnavailable, sqlState } from './database-errors.ts'

const server = await startTestServer()
const topics: string[] = []
const db = connect(server.databaseUrl, {
  maxConnections: 3,
  onPublish: (topic, payload) => void topics.push(`${topic} ${payload}`),
})
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(async () => {
  await db.close()
  await admin.end()
})

async function createDojo() {
  const id = newId()
  await db.inDojo(id, (tx) =>
    insertDojo(tx, { id, name: 'Cedar Park Judo', city: 'Austin', state: 'Texas' }),
  )
  return id
}
async function readLimit(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ limit: number }>(
    sql`select daily_message_limit as limit from system_config`,
  )
  return rows[0]!.limit
}
const setLimit = (tx: Tx, limitValue: number) =>
  tx.execute(
    sql`insert into system_config values (true, ${limitValue})
      on conflict (singleton) do update set daily_message_limit = ${limitValue}`,
  )
async function readPid(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return rows[0]!.pid
}
/** Fails with an error code: 40001 serialization failure, 40P01 deadlock, 23505 duplicate key. */
const raiseError = (tx: Tx, code: string) =>
  tx.execute(sql.raw(`do $$ begin raise exception 'on purpose' using errcode = '${code}'; end $$`))

/** Starts a proxy between the server and its database. `connections` has the two sockets of each
 *  connection. */
async function startProxy() {
  const connections: { databaseSocket: Socket; serverSocket: Socket }[] = []
  const { hostname, port, searchParams } = new URL(server.databaseUrl)
  const folder = searchParams.get('host')
  const proxy = createServer((serverSocket) => {
    const databaseSocket = folder
      ? dial(`${folder}/.s.PGSQL.${searchParams.get('port') ?? 5432}`)
      : dial(Number(port || 5432), hostname)
    serverSocket
      .on('error', () => {})
      .pipe(databaseSocket.on('error', () => {}))
      .pipe(serverSocket)
    connections.push({ databaseSocket, serverSocket })
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  const { port: ownPort } = proxy.address() as AddressInfo
  const { href: url } = Object.assign(new URL(server.databaseUrl), {
    hostname: '127.0.0.1',
    port: ownPort,
    search: '',
  })
  const close = () => {
    for (const { databaseSocket } of connections) databaseSocket.destroy()
    proxy.close()
  }
  return { url, connections, close }
}

test('many calls in a dojo do not delay a call in another dojo', async () => {
  const busyDojo = newId()
  const otherDojo = newId()
  const { promise, resolve } = Promise.withResolvers<void>()
  const slowCalls = Array.from({ length: 10 }, () => db.inDojo(busyDojo, () => promise))
  setTimeout(resolve, 1000)
  expect(await Promise.race([...slowCalls, db.inDojo(otherDojo, async () => 'no delay')])).toBe(
    'no delay',
  )
  await Promise.all(slowCalls)
})

describe('a transaction', () => {
  test('commits when its work is done and rolls back when the work throws', async () => {
    await db.withoutDojo((tx) => setLimit(tx, 100))
    await expect(
      db.withoutDojo(async (tx) => {
        await setLimit(tx, 200)
        throw new Error('fails on purpose')
      }),
    ).rejects.toThrow('fails on purpose')
    expect(await db.withoutDojo(readLimit)).toBe(100)
  })

  test.each(['40001', '40P01'])(
    'is repeated from the start after a temporary failure (%s)',
    async (code) => {
      await db.withoutDojo((tx) => setLimit(tx, 100))
      let attempts = 0
      const initialLimit = await db.withoutDojo(async (tx) => {
        const limitBefore = await readLimit(tx)
        await setLimit(tx, limitBefore + 1)
        if ((attempts += 1) < 3) await raiseError(tx, code)
        return limitBefore
      })
      expect([attempts, initialLimit, await db.withoutDojo(readLimit)]).toEqual([3, 100, 101])
    },
  )

  test('fails after the third attempt', async () => {
    let attempts = 0
    const failingTransaction = db.withoutDojo(async (tx) => {
      attempts += 1
      await raiseError(tx, '40001')
    })
    expect(sqlState(await failingTransaction.catch((error: unknown) => error))).toBe('40001')
    expect(attempts).toBe(3)
  })

  test('is not repeated after any other failure', async () => {
    let attempts = 0
    const failingTransaction = db.withoutDojo((tx) => {
      attempts += 1
      return raiseError(tx, '23505')
    })
    await expect(failingTransaction).rejects.toMatchObject({ cause: { code: '23505' } })
    expect(attempts).toBe(1)
  })

  test('waits for a connection if all are busy', async () => {
    let remainingFailures = 6
    const numbers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        db.withoutDojo(async (tx) => {
          if (index % 5 === 0 && (remainingFailures -= 1) >= 0) await raiseError(tx, '40P01')
          return index
        }),
      ),
    )
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index))
  })

  test('resets the dojo and the role of its connection', async () => {
    const smallPool = connect(server.databaseUrl, { maxConnections: 1 })
    const dojo = newId()
    const readRoleAndDojo = async (tx: Tx) => {
      const { rows } = await tx.execute(
        sql`select current_user as role, current_setting('app.dojo_id') as dojo`,
      )
      return rows[0]
    }
    expect(await smallPool.inDojo(dojo, readRoleAndDojo)).toEqual({ role: 'tatami_app', dojo })
    await smallPool.inDojo(dojo, (tx) => raiseError(tx, '23505')).catch(() => {})
    expect(await smallPool.withoutDojo(readRoleAndDojo)).toEqual({ role: 'tatami_app', dojo: '' })
    await smallPool.close()
  })

  test('can work in another dojo and return', async () => {
    const firstDojo = newId()
    const secondDojo = newId()
    const readCurrentDojo = async (tx: Tx) => {
      const { rows } = await tx.execute<{ dojo: string }>(
        sql`select current_setting('app.dojo_id') as dojo`,
      )
      return rows[0]!.dojo
    }
    expect(
      await db.inDojo(firstDojo, async (tx) => [
        await insideDojo(tx, secondDojo, readCurrentDojo),
        await readCurrentDojo(tx),
      ]),
    ).toEqual([secondDojo, firstDojo])
  })

  test.each(["x'; drop table dojos; --", '', 'B'.repeat(36)])(
    'is refused for a dojo with the id %j',
    (id) => {
      expect(() => db.inDojo(id, () => Promise.resolve())).toThrow('A dojo id is a UUID')
    },
  )
})

describe('a published message', () => {
  test('is delivered after the commit, but not after a rollback', async () => {
    await db.withoutDojo(async (tx) => {
      await tx.publish('news', 'good')
      expect(topics).toEqual([])
    })
    expect(topics).toEqual(['news good'])
    await db
      .withoutDojo(async (tx) => {
        await tx.publish('news', 'bad')
        throw new Error('fails on purpose')
      })
      .catch(() => {})
    expect(topics).toEqual(['news good'])
  })

  test('is published once even if the transaction was repeated', async () => {
    topics.length = 0
    let attempts = 0
    await db.withoutDojo(async (tx) => {
      await tx.publish('news', `try ${(attempts += 1)}`)
      if (attempts < 3) await raiseError(tx, '40001')
    })
    expect(topics).toEqual(['news try 3'])
  })

  test('is sent for each changed dojo', async () => {
    topics.length = 0
    const firstId = await createDojo()
    const secondId = await createDojo()
    expect(topics).toEqual([`dojo-changed ${firstId}`, `dojo-changed ${secondId}`])
    topics.length = 0
    await db.withoutDojo((tx) =>
      tx
        .update(dojos)
        .set({ time_zone: 'UTC' })
        .where(inArray(dojos.id, [firstId, secondId])),
    )
    expect(topics.toSorted()).toEqual(
      [`dojo-changed ${firstId}`, `dojo-changed ${secondId}`].toSorted(),
    )
    topics.length = 0
    await db.withoutDojo((tx) => setLimit(tx, 5))
    await db.inDojo(firstId, (tx) => tx.select().from(dojos))
    expect(topics).toEqual([])
  })
})

describe('a lost connection', () => {
  const kill = (pid: number) => admin.query('select pg_terminate_backend($1)', [pid])

  test('is replaced by a new connection if it was idle', async () => {
    const pids = await Promise.all([1, 2, 3].map(() => db.withoutDojo(readPid)))
    for (const pid of new Set(pids)) await kill(pid)
    await vi.waitFor(async () => expect(pids).not.toContain(await db.withoutDojo(readPid)))
  })

  test('fails only its own transaction during a query', async () => {
    const failingTransaction = db.withoutDojo(async (tx) => {
      const pid = await readPid(tx)
      setTimeout(() => void kill(pid), 20)
      await tx.execute(sql`select pg_sleep(5)`)
    })
    expect(sqlState(await failingTransaction.catch((error: unknown) => error))).toBe('57P01')
    expect(await db.withoutDojo(readLimit)).toBeGreaterThan(0)
  })

  test('fails only its own transaction between two queries', async () => {
    const failingTransaction = db.withoutDojo(async (tx) => {
      await kill(await readPid(tx))
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
      return readLimit(tx)
    })
    expect(isUnavailable(await failingTransaction.catch((error: unknown) => error))).toBe(true)
    expect(await db.withoutDojo(readLimit)).toBeGreaterThan(0)
  })

  test('is closed if it stays silent, and the next call gets another connection', async () => {
    const { url, connections, close } = await startProxy()
    const proxiedDb = connect(url, { queryTimeoutMs: 200 })
    const pid = await proxiedDb.withoutDojo(readPid)
    connections[0]!.databaseSocket.unpipe()
    const failure: unknown = await proxiedDb.withoutDojo(readPid).catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
    expect(await proxiedDb.withoutDojo(readPid)).not.toBe(pid)
    await proxiedDb.close()
    close()
  })

  test('releases its locks if its server is frozen', async () => {
    const frozenServer = connect(server.databaseUrl, { idleTimeoutMs: 200 })
    const idleTransaction = frozenServer.withoutDojo(async (tx) => {
      await setLimit(tx, 50)
      await sleep(1000)
      await setLimit(tx, 60)
    })
    const [outcome] = await Promise.allSettled([
      idleTransaction,
      sleep(300).then(() => db.withoutDojo((tx) => setLimit(tx, 70))),
    ])
    expect(outcome.status === 'rejected' && isUnavailable(outcome.reason)).toBe(true)
    expect(await db.withoutDojo(readLimit)).toBe(70)
    expect(await frozenServer.withoutDojo(readLimit)).toBe(70)
    await frozenServer.close()
  })
})
