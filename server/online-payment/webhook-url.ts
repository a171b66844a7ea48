export const WEBHOOK_PATH = '/api/stripe/webhooks'

export const webhookUrl = (publicUrl: string, dojoId: string): string =>
  `${publicUrl}${WEBHOOK_PATH}/${dojoId}`
