import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { dollars, idParams, singleLineText } from '../lib/fields.ts'

const RIGHT = 'students.edit'

/** The links of sources, such as `/t/flyer-x7k2`. They lead to the form for trials. */
export const SOURCE_PATH = '/t'
/** So many days after a student enrolled, the figures count who is still there. */
export const STAYED_DAYS = 90

export const leadSourceForm = z.object({
  name: singleLineText('Name', 60),
  /** What the source costs in a month. Null if it costs nothing, or nobody knows. */
  monthly_cost: dollars('Cost').nullable(),
})
export type LeadSourceForm = z.output<typeof leadSourceForm>

const leadSource = leadSourceForm.extend({
  id: z.uuid(),
  link: z.string(),
  /** A QR code of the link, as a data URL. */
  qr: z.string(),
})
export type LeadSource = z.output<typeof leadSource>

/** How far the leads of a source came within a year. */
const sourceFigures = z.object({
  source: z.string(),
  leads: z.number(),
  booked: z.number(),
  came: z.number(),
  joined: z.number(),
  /** The students who enrolled at least 90 days ago, and how many of them stayed so long. */
  enrolled_90_days_ago: z.number(),
  stayed_90_days: z.number(),
  /** In dollars. Null without a cost, or if nobody joined. */
  cost_per_joined: z.number().nullable(),
})
export type SourceFigures = z.output<typeof sourceFigures>

/** How long people who booked by themselves waited for the first contact, by weekday. */
const responseTime = z.object({
  /** 0 is Sunday. */
  weekday: z.number(),
  leads: z.number(),
  contacted: z.number(),
  /** The median. Null if nobody was contacted. */
  minutes: z.number().nullable(),
})
export type ResponseTime = z.output<typeof responseTime>

export const leadSourcesApi = {
  sources: {
    method: 'GET',
    path: '/lead-sources',
    access: 'instructor',
    right: RIGHT,
    summary: 'The links and QR codes that say where visitors come from',
    reply: z.array(leadSource),
  },
  addSource: {
    method: 'POST',
    path: '/lead-sources',
    access: 'instructor',
    right: RIGHT,
    summary: 'Create a link for a source. 409 if there is one with the same name',
    body: leadSourceForm,
    reply: leadSource,
  },
  changeSource: {
    method: 'PUT',
    path: '/lead-sources/:id',
    access: 'instructor',
    right: RIGHT,
    summary: 'Change the name or the cost of a source. The link stays the same',
    params: idParams,
    body: leadSourceForm,
    reply: leadSource,
  },
  figures: {
    method: 'GET',
    path: '/lead-figures',
    access: 'instructor',
    right: RIGHT,
    summary: 'How many people each source brought within a year, how far they came, and the cost',
    reply: z.array(sourceFigures),
  },
  responseTimes: {
    method: 'GET',
    path: '/lead-response-times',
    access: 'instructor',
    right: RIGHT,
    summary: 'How long people who booked waited for the first contact, by weekday',
    reply: z.array(responseTime),
  },
} as const satisfies Api
