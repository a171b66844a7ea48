import { bulkMessage } from '@tatami/contract/bulk-message'
import type { MessageType } from '@tatami/contract/message-types'
import type { Month } from '@tatami/contract/month'
import { useSchemaForm } from '../lib/form.ts'
import { messageOf, monthIn, type SendingForm, SENDINGS } from './sendings.ts'

/** The fields of a sending. Its first words name the month, and follow it until somebody writes others. */
export function useSendingForm(type: MessageType, month: Month) {
  const { words } = SENDINGS[type]
  const empty: SendingForm = { custom_message: words(month), selected_classes: [], selected_month: month.month, selected_year: month.year }
  const form = useSchemaForm(bulkMessage, empty, (values) => messageOf(type, values))
  const chooseMonth = (chosen: Month) => {
    const isOurs = form.values.custom_message === words(monthIn(form.values))
    form.setValues({ selected_month: chosen.month, selected_year: chosen.year, ...(isOurs && { custom_message: words(chosen) }) })
  }
  return { ...form, chooseMonth }
}
