import { createHash } from 'node:crypto'
import { nowIso } from '../lib/clock.ts'
import { SEVEN_BELTS_ID, requireSevenBeltsTemplate, TEMPLATE_VERSION } from './ladder-templates.ts'
import { pick } from '../lib/rows.ts'
import type { LadderWithRanks, StyleRow } from './styles.ts'

/** Computes an id from a dojo and a name, always the same one (UUID version 8, RFC 9562). */
function computeId(dojoId: string, name: string): string {
  const hash = createHash('sha256').update(`${dojoId} ${name}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** Builds the style and the ladder of a dojo that never changed its belts. */
export function buildSevenBelts(dojo_id: string): { style: StyleRow; ladder: LadderWithRanks } {
  const created_at = nowIso()
  const style = {
    dojo_id,
    id: computeId(dojo_id, 'main style'),
    name: 'Main style',
    is_main: true,
    vacation_counts: true,
    created_at,
  }
  const template = requireSevenBeltsTemplate()
  const ladder = {
    dojo_id,
    id: computeId(dojo_id, 'seven belts'),
    style_id: style.id,
    ...pick(template, 'name', 'min_age', 'max_age', 'age_counts'),
    continues_as: null,
    template: SEVEN_BELTS_ID,
    template_version: TEMPLATE_VERSION,
    created_at,
    retired_at: null,
    retired_by_act: null,
  }
  const ranks = template.ranks.map((rank, place) => ({
    ...rank,
    dojo_id,
    id: computeId(dojo_id, rank.name),
    ladder_id: ladder.id,
    place,
    short: null,
    fee: null,
    max_classes_a_day: null,
    min_stripes: null,
    needs_approval: false,
    needs_fee: false,
    retired_at: null,
  }))
  return { style, ladder: { ...ladder, ranks } }
}
