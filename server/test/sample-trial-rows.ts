import { newId } from '../db/columns.ts'
import type { SampleRows } from './sample-ids.ts'

const created_at = '2026-01-01T00:00:00Z'

export const TRIAL_ROWS: SampleRows = {
  public_pages: () => ({
    link_id: newId(),
    slug: newId(),
    is_on: 'true',
    language: 'en',
    changed_at: created_at,
  }),
  trial_offers: ({ trial_offer_id, class_id }) => ({
    id: trial_offer_id,
    name: 'Free trial',
    // Off, so that other offers can have the class.
    is_on: 'false',
    class_ids: `{${class_id}}`,
    uses_class_places: 'true',
    days_ahead: '14',
    cutoff_minutes: '60',
    visits: '1',
    sends_reminders: 'true',
    writes_when_missed: 'false',
    created_at,
  }),
  leads: ({ lead_id, guardian_id }) => ({
    id: lead_id,
    name: 'Ana Ruiz',
    is_for: 'child',
    email: 'ana@home.org',
    phone: '+15125550199',
    language: 'en',
    source: 'page',
    likely_person_id: guardian_id,
    likely_person: 'Ann Adams, guardian',
    created_at,
    last_active_at: new Date().toISOString(),
  }),
  lead_consents: () => ({
    id: newId(),
    contact_hash: newId(),
    purpose: 'marketing',
    wording_version: 'trial-2026-11-27',
    at: created_at,
  }),
  bookings: ({ booking_id, lead_id, trial_offer_id, class_id }) => ({
    id: booking_id,
    lead_id,
    offer_id: trial_offer_id,
    class_id,
    class_date: '2026-01-02',
    told_class: 'Kids Judo',
    told_date: '2026-01-02',
    told_time: '4:00 PM - 5:00 PM',
    visitor_name: 'Leo',
    visitor_age: '8',
    state: 'held',
    uses_class_places: 'true',
    source: 'page',
    language: 'en',
    form_key: newId(),
    address_hash: newId(),
    created_at,
  }),
  booking_links: ({ booking_id }) => ({ token_hash: newId(), booking_id, created_at }),
}
