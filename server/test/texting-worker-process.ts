/** A process that only sends texts, for tests that kill it:
 *  `node texting-worker-process.ts <settings as JSON>`. */
import { connect } from '../db/database.ts'
import { connectPubSub } from '../db/pubsub.ts'
import { chooseProvider, type TextingSettings } from '../texting/service.ts'
import { startWorker } from '../texting/delivery/worker.ts'

type Settings = TextingSettings & { databaseUrl: string; notSentAfterSeconds: number }
const { databaseUrl, notSentAfterSeconds, ...settings } = JSON.parse(process.argv[2]!) as Settings
const pubsub = await connectPubSub(databaseUrl)
const db = connect(databaseUrl, { onPublish: pubsub.deliver, ping: pubsub.ping })
startWorker({
  db,
  pubsub,
  provider: chooseProvider(settings, db),
  perSecond: settings.smsPerSecond,
  notSentAfterSeconds,
  onError: (error) => console.error(error),
})
console.log('sending')
