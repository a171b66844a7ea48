import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'

export const conversationList = (page: Page) => page.getByRole('list', { name: 'Conversations' })
export const openConversation = (page: Page, name: string) =>
  conversationList(page)
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
export const conversationThread = (page: Page, name: string) =>
  page.getByRole('region', { name: `Conversation with ${name}` })
export const textItems = (page: Page) =>
  page.getByRole('list', { name: 'Texts' }).getByRole('listitem')

/** Returns a phone that no other test uses, because STOP applies to a phone in every dojo. */
export const newPhone = () => `+1512555${randomInt(2000, 9999)}`
/** Sends a text to the dojo from this phone. */
export const textDojo = (dojo: Dojo, phone_number: string, text: string) =>
  call(conversationsApi.writeSimulated, { body: { phone_number, text } }, dojo.token)
export const sendCancellation = (dojo: Dojo, custom_message = 'Hi {name}, no class today.') =>
  call(
    textingApi.sendBulk,
    { body: { message_type: 'weather_cancel', custom_message } },
    dojo.token,
  )
