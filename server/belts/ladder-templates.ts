import { readFileSync } from 'node:fs'
import type { LadderTemplate } from '@tatami/contract/belts/belts'
import { BELTS, RANK_COLOURS, RANK_PATTERNS } from '@tatami/contract/lib/ranks'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../db/database.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { ladders, ranks } from './tables.ts'

const optionalNumber = z.number().nullable().default(null)
const rankInFile = z.object({
  name: z.string(),
  colours: z.array(z.enum(RANK_COLOURS)),
  pattern: z.enum(RANK_PATTERNS),
  tags: z.object({ count: z.number(), colour: z.enum(RANK_COLOURS) }).optional(),
  stripes: z.number().default(0),
  belt_level: z.enum(BELTS),
  min_months: optionalNumber,
  min_classes: optionalNumber,
  min_age: optionalNumber,
  max_age: optionalNumber,
})
const ladderInFile = z.object({
  id: z.string(),
  style: z.string(),
  name: z.string(),
  note: z.string().nullable().default(null),
  min_age: optionalNumber,
  max_age: optionalNumber,
  age_counts: z.literal('calendar year').optional(),
  continues_as: z.string().nullable().default(null),
  ranks: z.array(rankInFile),
})
const templateFile = z.object({ format: z.number(), ladders: z.array(ladderInFile) })

type Template = LadderTemplate & {
  age_counts: 'birthday' | 'calendar_year'
  continues_as: string | null
}

const TEMPLATE_FILE = templateFile.parse(
  JSON.parse(readFileSync(new URL('ladder-templates.json', import.meta.url), 'utf8')),
)

const toTemplateRank = ({
  tags,
  ...rank
}: z.output<typeof rankInFile>): LadderTemplate['ranks'][number] => ({
  ...rank,
  tags_count: tags?.count ?? 0,
  tags_colour: tags?.colour ?? null,
})

export const LADDER_TEMPLATES: readonly Template[] = TEMPLATE_FILE.ladders.map((ladder) => ({
  ...ladder,
  age_counts: ladder.age_counts === 'calendar year' ? 'calendar_year' : 'birthday',
  ranks: ladder.ranks.map(toTemplateRank),
}))

export const SEVEN_BELTS_ID = 'seven'

export const findTemplate = (id: string): Template | undefined =>
  LADDER_TEMPLATES.find((template) => template.id === id)

export const TEMPLATE_VERSION = TEMPLATE_FILE.format

export function requireSevenBeltsTemplate(): Template {
  const template = findTemplate(SEVEN_BELTS_ID)
  if (!template) throw new Error('ladder-templates.json lacks the seven belts')
  return template
}

/** Adds a ladder from a template. Sets `continues_as` if it continues a ladder of the style or a
 *  ladder of the style continues it. */
export async function copyTemplate(tx: Tx, styleId: string, template: Template): Promise<string> {
  const styleLadders = await tx
    .select(pick(ladders, 'id', 'template', 'continues_as', 'retired_at'))
    .from(ladders)
    .where(eq(ladders.style_id, styleId))
  const currentLadders = styleLadders.filter(({ retired_at }) => retired_at === null)
  const continuation = currentLadders.find(
    (ladder) => ladder.template !== null && ladder.template === template.continues_as,
  )
  const newRows = await tx
    .insert(ladders)
    .values({
      style_id: styleId,
      ...pick(template, 'name', 'min_age', 'max_age', 'age_counts'),
      continues_as: continuation?.id ?? null,
      template: template.id,
      template_version: TEMPLATE_VERSION,
    })
    .returning({ id: ladders.id })
  const { id } = firstRow(newRows)
  await tx
    .insert(ranks)
    .values(template.ranks.map((rank, place) => ({ ...rank, ladder_id: id, place })))
  for (const ladder of currentLadders) {
    const ladderTemplate = findTemplate(ladder.template ?? '')
    if (ladder.continues_as === null && ladderTemplate?.continues_as === template.id)
      await tx.update(ladders).set({ continues_as: id }).where(eq(ladders.id, ladder.id))
  }
  return id
}
