import pg from 'pg'
import { CHANNEL } from './database.ts'
import type { Ping } from './circuit-breaker.ts'

/** Sends messages from one server to all servers of the same database, over LISTEN and NOTIFY. */
export type PubSub = {
  /** True while this server receives all messages. */
  isLive: () => boolean
  subscribe: (topic: string, handler: (payload: string) => void) => void
  /** Calls the handlers of this server only. */
  deliver: (topic: string, payload: string) => void
  onDisconnect: (handler: () => void) => void
  /** Pings on a connection that no other statement uses. */
  ping: Ping
  close: () => Promise<void>
}

const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000

/** `url` must not be a pooler in transaction mode, which does not support LISTEN. */
export async function connectPubSub(url: string): Promise<PubSub> {
  const handlersByTopic = new Map<string, ((payload: string) => void)[]>()
  const disconnectHandlers: (() => void)[] = []
  const deliver = (topic: string, payload: string) => {
    for (const handler of handlersByTopic.get(topic) ?? []) handler(payload)
  }
  const listener = createListener(url, {
    onMessage: deliver,
    onDisconnect: () => disconnectHandlers.forEach((handler) => handler()),
  })
  await listener.open()
  return {
    isLive: listener.isLive,
    subscribe: (topic, handler) =>
      void handlersByTopic.set(topic, [...(handlersByTopic.get(topic) ?? []), handler]),
    deliver,
    onDisconnect: (handler) => void disconnectHandlers.push(handler),
    ping: listener.ping,
    close: listener.close,
  }
}

type ListenerEvents = {
  onMessage: (topic: string, payload: string) => void
  onDisconnect: () => void
}

/** A connection that listens on our channel, and reconnects when it is lost. */
function createListener(url: string, { onMessage, onDisconnect }: ListenerEvents) {
  let client: pg.Client | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function receive(notification: pg.Notification) {
    const [topic = '', payload = ''] = (notification.payload ?? '').split(' ', 2)
    onMessage(topic, payload)
  }
  function disconnect(lostClient: pg.Client) {
    if (client === lostClient) {
      client = undefined
      onDisconnect()
    }
    void lostClient.end().catch(() => {})
    if (!isClosed) timer = setTimeout(open, RETRY_MS)
  }
  async function open() {
    const newClient = createClient(url)
    let isLost = false
    const onLost = () => {
      if (!isLost) disconnect(newClient)
      isLost = true
    }
    newClient.on('error', onLost).on('end', onLost).on('notification', receive)
    try {
      await newClient.connect()
      await newClient.query(`listen ${CHANNEL}`)
      client = newClient
      scheduleHeartbeat(newClient, onLost)
    } catch {
      onLost()
    }
  }
  function scheduleHeartbeat(liveClient: pg.Client, onLost: () => void) {
    timer = setTimeout(() => {
      if (client === liveClient)
        pingOn(liveClient).then(() => scheduleHeartbeat(liveClient, onLost), onLost)
    }, HEARTBEAT_MS)
  }
  return {
    open,
    isLive: () => client !== undefined,
    ping: async () => {
      if (client) return hasReplied(pingOn(client))
      return (await pingOnNewConnection(url)) || isClosed
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

const runningPings = new WeakMap<pg.Client, Promise<unknown>>()

/** A client runs one query at a time, so the heartbeat and the circuit breaker share a ping. */
function pingOn(client: pg.Client): Promise<unknown> {
  const ping = (runningPings.get(client) ?? client.query('select 1')).finally(() =>
    runningPings.delete(client),
  )
  runningPings.set(client, ping)
  return ping
}

const createClient = (url: string) =>
  new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: HEARTBEAT_MS,
    query_timeout: HEARTBEAT_MS,
  })

export async function pingOnNewConnection(url: string): Promise<boolean> {
  const pingClient = createClient(url)
  pingClient.on('error', () => {})
  const isRunning = await hasReplied(pingClient.connect().then(() => pingClient.query('select 1')))
  void pingClient.end().catch(() => {})
  return isRunning
}

/** Error codes that prove that PostgreSQL is running. It sends 57P0 while it starts or stops, and
 *  poolers send 08. */
const REPLY_CODE = /^(?!08|57P0)[0-9A-Z]{5}$/

const hasReplied = (reply: Promise<unknown>): Promise<boolean> =>
  reply.then(
    () => true,
    (error: { code?: unknown }) => REPLY_CODE.test(String(error.code)),
  )
