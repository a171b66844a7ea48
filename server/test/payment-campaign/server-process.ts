/** A server that takes payments, for tests that kill it: `node server-process.ts <settings>`. It
 *  prints its address, and reads from its input by how many milliseconds to move its clock. */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { setSecretsKey } from '../../accounts/sealed-secrets.ts'
import { type AppOptions, buildApp } from '../../app.ts'
import { connect } from '../../db/database.ts'
import { connectPubSub } from '../../db/pubsub.ts'
import { moveClock } from '../../lib/clock.ts'
import { createContext } from '../../online-payment/stripe-account.ts'
import { startPaymentWorker } from '../../online-payment/worker.ts'
import { runDueJobs } from '../../schedule.ts'

export type ProcessSettings = {
  databaseUrl: string
  secretsKey: string
  clockOffsetMs: number
  /** How long the worker waits between two rounds. Left out for the usual time. */
  workerPauseMs?: number
  env: AppOptions['env']
}
const { databaseUrl, secretsKey, clockOffsetMs, workerPauseMs, env } = JSON.parse(
  process.argv[2] ?? '',
) as ProcessSettings
const JOBS_EVERY_MS = 1_000

moveClock(clockOffsetMs)
setSecretsKey(secretsKey)
const pubsub = await connectPubSub(databaseUrl)
const db = connect(databaseUrl, { onPublish: pubsub.deliver, ping: pubsub.ping })
const http = await buildApp({ db, pubsub, env })
const address = await http.listen({ host: '127.0.0.1', port: 0 })
const logError = (error: unknown) => console.error(error)
startPaymentWorker(createContext(db, env), logError, { pauseMs: workerPauseMs })
createInterface(process.stdin)
  .on('line', (line) => moveClock(Number(line)))
  // The test has ended.
  .on('close', () => process.exit())
console.log(address)
for (;;) {
  await runDueJobs(db, logError, () => {}, env.publicUrl).catch(logError)
  await sleep(JOBS_EVERY_MS)
}
