import type { Database } from '../db/database.ts'
import type { PubSub } from '../db/pubsub.ts'
import { createOwnAccounts } from '../texting/providers/own-accounts.ts'
import { chooseProvider, type TextingSettings } from '../texting/service.ts'
import { startWorker } from '../texting/delivery/worker.ts'

export const startTestWorker = (
  { db, pubsub }: { db: Database; pubsub: PubSub },
  settings: TextingSettings,
  timing: { notSentAfterSeconds?: number } = {},
) =>
  startWorker({
    ...timing,
    db,
    pubsub,
    provider: chooseProvider(settings, db),
    ownAccounts: createOwnAccounts(settings),
    perSecond: settings.smsPerSecond,
    onError: (error) => {
      throw error
    },
  })
