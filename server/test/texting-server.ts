/** A server that only sends, to be killed by the fault test: `node texting-server.ts <settings as JSON>`. */
import { connect } from '../db/database.ts'
import { listen } from '../db/signals.ts'
import { providerFrom, type TextingSettings } from '../texting/providers/choose-provider.ts'
import { keepSending } from '../texting/delivery/worker.ts'

type Settings = TextingSettings & { databaseUrl: string; notSentAfterSeconds: number }
const { databaseUrl, notSentAfterSeconds, ...settings } = JSON.parse(process.argv[2]!) as Settings
const signals = await listen(databaseUrl)
const db = connect(databaseUrl, { onTell: signals.deliver, ping: signals.ping })
keepSending({
  db,
  signals,
  provider: providerFrom(settings, db),
  perSecond: settings.smsPerSecond,
  notSentAfterSeconds,
  onError: (error) => console.error(error),
})
console.log('sending')
