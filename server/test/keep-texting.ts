import type { Database } from '../db/database.ts'
import type { PubSub } from '../db/pubsub.ts'
import { providerFrom, type TextingSettings } from '../texting/providers/choose-provider.ts'
import { keepSending } from '../texting/delivery/worker.ts'

/** Sends what waits, as a server's dispatcher does; what goes wrong on the way fails the test. Gives back its end. */
export const keepTexting = (
  { db, pubsub }: { db: Database; pubsub: PubSub },
  settings: TextingSettings,
  timing: { notSentAfterSeconds?: number } = {},
) =>
  keepSending({
    ...timing,
    db,
    pubsub,
    provider: providerFrom(settings, db),
    perSecond: settings.smsPerSecond,
    onError: (error) => {
      throw error
    },
  })
