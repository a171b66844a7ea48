import { fairApi, type FairLeadForm } from '@tatami/contract/leads/fair'
import { leadsApi } from '@tatami/contract/leads/leads'
import { call, newIdempotencyKey } from '../lib/api.ts'
import { FAIR_LEADS_PREFIX, tapStore } from '../lib/device-database.ts'
import { createDeviceOutbox } from '../lib/device-outbox.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import type { OutboxItem } from '../lib/outbox.ts'
import type { Attempt } from '../lib/pending-items.ts'
import { endpointKey, queryClient } from '../lib/query.ts'

/** A lead that the server does not have yet. Its key lets the server recognize a repetition. */
type StoredLead = OutboxItem & { key: string; form: FairLeadForm }
export type PendingLead = StoredLead & Attempt

export const fairLeads = createDeviceOutbox<StoredLead, StoredLead, unknown>({
  name: 'fair-leads',
  deviceStore: tapStore,
  accountPrefix: () => `${FAIR_LEADS_PREFIX} ${deviceStorage.owner()} `,
  keyOf: ({ key }) => key,
  groupOf: ({ key }) => key,
  endpointOf: () => fairApi.add,
  send: ([{ key, form }]) => call(fairApi.add, { body: form, idempotencyKey: key }),
  showReply: () => queryClient.invalidateQueries({ queryKey: [endpointKey(leadsApi.list)] }),
})

/** Returns the key of the stored lead. */
export async function storeFairLead(form: FairLeadForm): Promise<string> {
  const lead = { key: newIdempotencyKey(), form }
  await fairLeads.put([lead], () => lead)
  return lead.key
}
