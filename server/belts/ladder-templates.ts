import { readFileSync } from 'node:fs'
import type { LadderTemplate } from '@tatami/contract/belts/belts'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import { ladders, ranks } from './tables.ts'

type TemplateRank = Pick<
  LadderTemplate['ranks'][number],
  'name' | 'colours' | 'pattern' | 'belt_level'
> &
  Partial<
    Pick<
      LadderTemplate['ranks'][number],
      'stripes' | 'min_months' | 'min_classes' | 'min_age' | 'max_age'
    >
  > & {
    tags?: { count: number; colour: LadderTemplate['ranks'][number]['tags_colour'] }
  }
type GivenLadder = Pick<LadderTemplate, 'id' | 'style' | 'name'> &
  Partial<Pick<LadderTemplate, 'note' | 'min_age' | 'max_age'>> & {
    age_counts?: 'calendar year'
    continues_as?: string
    ranks: TemplateRank[]
  }
type Template = LadderTemplate & {
  age_counts: 'birthday' | 'calendar_year'
  continues_as: string | null
}

const FILE = JSON.parse(
  readFileSync(new URL('ladder-templates.json', import.meta.url), 'utf8'),
) as {
  format: number
  ladders: GivenLadder[]
}

const rankOf = ({ tags, ...rank }: TemplateRank): LadderTemplate['ranks'][number] => ({
  ...pick(rank, 'name', 'colours', 'pattern'),
  tags_count: tags?.count ?? 0,
  tags_colour: tags?.colour ?? null,
  stripes: rank.stripes ?? 0,
  belt_level: rank.belt_level,
  min_months: rank.min_months ?? null,
  min_classes: rank.min_classes ?? null,
  min_age: rank.min_age ?? null,
  max_age: rank.max_age ?? null,
})

export const LADDER_TEMPLATES: readonly Template[] = FILE.ladders.map((ladder) => ({
  ...pick(ladder, 'id', 'style', 'name'),
  note: ladder.note ?? null,
  min_age: ladder.min_age ?? null,
  max_age: ladder.max_age ?? null,
  age_counts: ladder.age_counts === 'calendar year' ? 'calendar_year' : 'birthday',
  continues_as: ladder.continues_as ?? null,
  ranks: ladder.ranks.map(rankOf),
}))

export const SEVEN_BELTS = 'seven'

export const findTemplate = (id: string): Template | undefined =>
  LADDER_TEMPLATES.find((template) => template.id === id)

export const TEMPLATE_VERSION = FILE.format

export function sevenBeltsTemplate(): Template {
  const template = findTemplate(SEVEN_BELTS)
  if (!template) throw new Error('ladder-templates.json lacks the seven belts')
  return template
}

/** Copies a template into a style. Ladders that continue as each other are linked both ways. */
export async function copyTemplate(tx: Tx, styleId: string, template: Template): Promise<string> {
  const styleLadders = await tx
    .select(pick(ladders, 'id', 'template', 'continues_as', 'retired_at'))
    .from(ladders)
    .where(eq(ladders.style_id, styleId))
  const current = styleLadders.filter(({ retired_at }) => retired_at === null)
  const [newLadder] = await tx
    .insert(ladders)
    .values({
      style_id: styleId,
      ...pick(template, 'name', 'min_age', 'max_age', 'age_counts'),
      continues_as:
        current.find(
          (ladder) => ladder.template !== null && ladder.template === template.continues_as,
        )?.id ?? null,
      template: template.id,
      template_version: TEMPLATE_VERSION,
    })
    .returning({ id: ladders.id })
  const { id } = newLadder!
  await tx
    .insert(ranks)
    .values(template.ranks.map((rank, place) => ({ ...rank, ladder_id: id, place })))
  for (const ladder of current)
    if (
      ladder.continues_as === null &&
      findTemplate(ladder.template ?? '')?.continues_as === template.id
    )
      await tx.update(ladders).set({ continues_as: id }).where(eq(ladders.id, ladder.id))
  return id
}
