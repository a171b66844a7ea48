import { textingAccountApi } from '@tatami/contract/texting/texting-account'
import { type App, serve } from '../http/serve.ts'
import {
  readSetUp,
  removeAccount,
  saveAccount,
  sendTestText,
  type SetUpContext,
} from '../texting/set-up-account.ts'

export function textingAccountRoutes(app: App, context: SetUpContext) {
  serve(app, textingAccountApi, {
    setUp: ({ tx, caller }) => readSetUp(tx, context, caller),
    save: { withoutTransaction: ({ caller, body }) => saveAccount(context, caller, body) },
    remove: {
      withoutTransaction: ({ caller, body }) =>
        removeAccount(context, caller, body.current_password),
    },
    sendTest: ({ tx, caller }) => sendTestText(tx, context, caller),
  })
}
