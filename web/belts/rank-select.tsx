import { NativeSelect } from '@mantine/core'
import type { Ladder } from '@tatami/contract/belts/belts'
import type { ComponentProps } from 'react'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'

type Props = Omit<ComponentProps<typeof NativeSelect>, 'data'> & {
  ladders: readonly Ladder[]
  placeholder?: string | undefined
}

/** Offers the ranks of all ladders in use. If the selected rank is on a retired ladder, offers the
 *  ranks of that ladder, too. */
export function RankSelect({ ladders, placeholder, value, ...field }: Props) {
  const offeredLadders = ladders.filter(
    (ladder) => !ladder.is_retired || ladder.ranks.some(({ id }) => id === value),
  )
  const groups = offeredLadders.map((ladder) => ({
    group: ladder.name,
    items: ladder.ranks.map((rank) => ({
      value: rank.id,
      label: rankName({ ...rank, stripes: 0 }),
    })),
  }))
  const selectedRank = offeredLadders.flatMap(({ ranks }) => ranks).find(({ id }) => id === value)
  return (
    <NativeSelect
      leftSectionWidth={selectedRank && '3rem'}
      leftSection={
        selectedRank && <RankBelt rank={{ ...selectedRank, stripes: 0 }} size={28} decorative />
      }
      {...field}
      value={value}
      data={[
        ...(placeholder === undefined ? [] : [{ value: '', label: placeholder }]),
        ...(groups.length === 1 ? groups.flatMap(({ items }) => items) : groups),
      ]}
    />
  )
}
