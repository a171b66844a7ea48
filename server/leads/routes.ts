import { fairApi } from '@tatami/contract/leads/fair'
import { leadsApi } from '@tatami/contract/leads/leads'
import { referralsApi } from '@tatami/contract/leads/referrals'
import { leadSettingsApi } from '@tatami/contract/leads/settings'
import { leadSourcesApi } from '@tatami/contract/leads/sources'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import type { Tx } from '../db/database.ts'
import { type App, type DojoCaller, okReply, serve } from '../http/serve.ts'
import {
  addEvent,
  addLead,
  changeLead,
  joinLead,
  mergeLead,
  removeLead,
  setNextStep,
  unmergeLead,
} from './edit.ts'
import { addFairLead } from './fair.ts'
import { readResponseTimes, readSourceFigures } from './figures.ts'
import { listLeadStages } from './lead-stages.ts'
import { findLeadOfStudent, listLeads, readLead } from './leads.ts'
import { createReferralLink } from './referrals.ts'
import { changeLeadSettings, readLeadSettings } from './settings.ts'
import { recordSpokenConsent } from './spoken-consents.ts'
import { mountSourceLinks } from './source-links.ts'
import { addSource, changeSource, listSources } from './sources.ts'

type Input = { tx: Tx; caller: DojoCaller }

const todayFor = ({ tx, caller }: Input) => todayOf(tx, caller.dojoId)
const replyWithLead = async (input: Input, id: string) =>
  readLead(input.tx, id, await todayFor(input))

async function zoneFor({ tx, caller }: Input) {
  const { time_zone } = await dojoById(tx, caller.dojoId)
  return { timeZone: time_zone, today: todayIn(time_zone) }
}

export function leadSourcesRoutes(app: App, publicUrl: string): void {
  serve(app, leadSourcesApi, {
    sources: ({ tx }) => listSources(tx, publicUrl),
    addSource: ({ tx, caller, body }) => addSource(tx, caller, body, publicUrl),
    changeSource: ({ tx, caller, params, body }) =>
      changeSource(tx, caller, params.id, body, publicUrl),
    figures: async (input) => readSourceFigures(input.tx, await zoneFor(input)),
    responseTimes: async (input) => readResponseTimes(input.tx, await zoneFor(input)),
  })
  serve(app, referralsApi, {
    createLink: ({ tx, params }) => createReferralLink(tx, params.id, publicUrl),
  })
  mountSourceLinks(app)
}

export function leadsRoutes(app: App): void {
  serve(app, leadSettingsApi, {
    read: ({ tx }) => readLeadSettings(tx),
    change: ({ tx, caller, body }) => changeLeadSettings(tx, caller, body),
  })
  serve(app, fairApi, {
    add: ({ tx, caller, body }) => okReply(addFairLead(tx, caller, body)),
  })
  serve(app, leadsApi, {
    list: async ({ query, ...input }) =>
      listLeads(input.tx, query.list ?? 'open', await todayFor(input)),
    stages: ({ tx, caller }) => listLeadStages(tx, caller),
    ofStudent: async ({ tx, params }) => ({ lead_id: await findLeadOfStudent(tx, params.id) }),
    show: ({ params, ...input }) => replyWithLead(input, params.id),
    add: async ({ body, ...input }) =>
      replyWithLead(input, await addLead(input.tx, input.caller, body)),
    change: async ({ params, body, ...input }) => {
      await changeLead(input.tx, input.caller, params.id, body)
      return replyWithLead(input, params.id)
    },
    setNextStep: async ({ params, body, ...input }) => {
      await setNextStep(input.tx, input.caller.dojoId, params.id, body)
      return replyWithLead(input, params.id)
    },
    addEvent: async ({ params, body, ...input }) => {
      await addEvent(input.tx, input.caller, params.id, body)
      return replyWithLead(input, params.id)
    },
    recordSpokenConsent: async ({ params, body, ...input }) => {
      await recordSpokenConsent(input.tx, input.caller, params.id, body)
      return replyWithLead(input, params.id)
    },
    merge: async ({ params, body, ...input }) => {
      await mergeLead(input.tx, input.caller, params.id, body.into_id)
      return replyWithLead(input, body.into_id)
    },
    unmerge: async ({ params, ...input }) => {
      await unmergeLead(input.tx, input.caller, params.id)
      return replyWithLead(input, params.id)
    },
    join: async ({ params, body, ...input }) => {
      await joinLead(input.tx, input.caller, params.id, body)
      return replyWithLead(input, params.id)
    },
    remove: ({ tx, caller, params }) => okReply(removeLead(tx, caller, params.id)),
  })
}
