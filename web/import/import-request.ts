import { paidThroughMonths } from '@tatami/contract/import/history'
import { toImportForm } from '@tatami/contract/import/sheet'
import { BELTS } from '@tatami/contract/lib/ranks'
import { today } from '../lib/dates.ts'
import type { ImportState } from './import-state.ts'

/** Builds the body of the request to preview or import the sheet. */
export function toRequest({
  sheet,
  duplicateChoices,
  includedRows,
  formerRows,
  statuses,
  belts,
  extraStripesChoice,
  paidThrough,
  balanceMeaning,
  isBalancePerSibling,
  debtsIncludeThisMonth,
  classes,
  newClassNames,
  memberships,
  sidesByQuestion,
  addedGuardians,
  defaultClass,
  invites,
}: ImportState) {
  return {
    ...toImportForm(sheet),
    choices: Object.entries(duplicateChoices).map(([row, choice]) => ({
      row: Number(row),
      choice,
    })),
    include_rows: includedRows,
    former_rows: formerRows,
    statuses: Object.entries(statuses).map(([status, means]) => ({ status, means })),
    belts: Object.entries(belts).map(([belt, choice]) => ({ belt, ...toBeltChoice(choice) })),
    ...(extraStripesChoice && { extra_stripes: extraStripesChoice }),
    // A draft from an earlier month may have a month that is no longer a choice.
    ...(paidThroughMonths(today()).includes(paidThrough) && { paid_through: paidThrough }),
    ...(balanceMeaning && { balance_meaning: balanceMeaning }),
    repeats_balances: isBalancePerSibling,
    debts_include_this_month: debtsIncludeThisMonth,
    classes: [
      ...Object.entries(classes).map(([name, class_id]) => ({ name, class_id })),
      ...Object.entries(newClassNames).map(([name, class_name]) => ({ name, class_name })),
    ],
    memberships: Object.entries(memberships).map(([name, choice]) =>
      choice === 'new' ? { name, is_new: true } : { name, plan_id: choice || null },
    ),
    families: Object.entries(sidesByQuestion).map(([id, sides]) => ({
      id,
      is_one: sides.length > 1,
      sides,
    })),
    add_guardians: addedGuardians,
    default_class_id: defaultClass || null,
    invites,
  }
}

function toBeltChoice(choice: string) {
  const belt_level = BELTS.find((belt) => belt === choice)
  if (belt_level) return { belt_level }
  return choice === '' ? {} : { rank_id: choice }
}
