import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { hasReachedAge } from '../guardians/ages.ts'
import { isFullName, toMailbox, nameKey, surnameKeys } from '../families/likeness.ts'
import { Groups } from '../families/groups.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { getOrThrow } from '../lib/rows.ts'
import type { Mention, RowFamily } from './families.ts'
import {
  buildFamilyQuestion,
  type FamilyAnswers,
  MAX_SIDES,
  type Party,
  type UsablePhone,
} from './family-questions.ts'
import {
  type DojoRecords,
  type ExistingGuardian,
  nameKeysOf,
  partyOfGuardian,
} from './dojo-records.ts'
import type { PlannedStudent } from './plan.ts'

export type GuardianGroup = {
  mentions: Mention[]
  existing: ExistingGuardian | null
  emails: Set<string>
  /** In E.164 format, without unusable numbers. */
  phones: Set<string>
}

type Grouping = {
  groups: Map<Mention, GuardianGroup>
  questions: FamilyQuestion[]
}

/**
 * Mentions with the same email, the same number and name, or the same full name and children's
 * surname are one guardian. We ask if emails or numbers differ, if the name is vague ("Mom"), or if
 * the dojo already has a guardian with the name.
 */
export async function groupGuardians(
  families: Map<number, RowFamily>,
  studentOfRow: Map<number, PlannedStudent>,
  dojo: DojoRecords,
  answers: FamilyAnswers,
  usablePhone: UsablePhone,
  today: string,
): Promise<Grouping> {
  const mentions = [...families.values()].flatMap(({ guardians }) => guardians)
  const grouper = new GuardianGrouper(answers, usablePhone)
  await mapInSlices(mentions, (mention) => grouper.add(mention))
  const ownerRows = ownersOfEmails(families, studentOfRow, today)
  await mapInSlices(mentions, (mention) => {
    const owner = mention.email === null ? undefined : ownerRows.get(mention.email)
    const isOwner = mention.name === null || nameKey(mention.name) === owner?.name
    const isOwnChild = nameKey(mention.child) !== owner?.name
    if (owner && isOwner && isOwnChild) mention.parentRow ??= owner.row
    const linkedGuardian = findLinkedGuardian(mention, studentOfRow, dojo)
    if (linkedGuardian) grouper.joinExisting(mention, linkedGuardian)
  })
  await mapInSlices([...bucketsBy(mentions, certainKeysOf).values()], (bucket) =>
    grouper.joinMentions(bucket),
  )
  await mapInSlices(mentions, (mention) => {
    const email = grouper.emailOf(mention)
    const guardian = email === undefined ? undefined : dojo.guardianByEmail.get(email)
    if (guardian) grouper.joinExisting(mention, guardian)
  })
  const phoneKeysOf = ({ name, phone }: Mention): string[] => {
    const number = usablePhone(phone)
    return number === null || name === null ? [] : [`phone ${number} ${nameKey(name)}`]
  }
  await mapInSlices([...bucketsBy(mentions, phoneKeysOf)], ([key, bucket]) =>
    grouper.joinOrAsk(bucket, dojo.guardianByPhone.get(key), isSameByPhone),
  )
  await mapInSlices([...bucketsBy(mentions, nameKeysOfMention)], ([key, bucket]) =>
    grouper.joinOrAsk(bucket, dojo.guardianByName.get(key), isSameByName),
  )
  return { groups: grouper.groups, questions: [...grouper.questions.values()] }
}

class GuardianGrouper {
  readonly groups = new Map<Mention, GuardianGroup>()
  readonly questions = new Map<string, FamilyQuestion>()
  readonly #existingGroups = new Map<string, GuardianGroup>()
  readonly #answeredGroups: Set<GuardianGroup>[] = []
  readonly #answers: FamilyAnswers
  readonly #usablePhone: UsablePhone

  constructor(answers: FamilyAnswers, usablePhone: UsablePhone) {
    this.#answers = answers
    this.#usablePhone = usablePhone
  }

  add(mention: Mention): void {
    this.groups.set(mention, this.#createGroup([mention], null, mention))
  }

  joinMentions(mentions: Mention[]): void {
    this.#join(this.#groupsOf(mentions))
  }

  joinExisting(mention: Mention, guardian: ExistingGuardian): void {
    this.#join([getOrThrow(this.groups, mention), this.#groupOfExisting(guardian)])
  }

  emailOf(mention: Mention): string | undefined {
    const [email] = getOrThrow(this.groups, mention).emails
    return email
  }

  /** Joins namesakes if they are certainly one guardian. Asks unless they clearly differ. */
  joinOrAsk(
    mentions: Mention[],
    guardian: ExistingGuardian | undefined,
    isSameGuardian: (groups: GuardianGroup[]) => boolean,
  ): void {
    const namesakes = this.#withExisting(this.#groupsOf(mentions), guardian)
    if (namesakes.length <= 1) return
    if (isSameGuardian(namesakes)) {
      this.#join(namesakes)
      return
    }
    // The same guardians can have both a number and a name in common. We ask only once.
    const isAnswered = this.#answeredGroups.some((groups) =>
      namesakes.every((group) => groups.has(group)),
    )
    if (isAnswered || namesakes.length > MAX_SIDES || areClearlyDifferent(namesakes)) return
    const question = buildFamilyQuestion('guardian', namesakes.map(partiesOf), this.#answers)
    this.questions.set(question.id, question)
    this.#join(namesakes.filter((_, side) => question.joined_sides.includes(side)))
    if (question.is_one) this.#answeredGroups.push(new Set(namesakes))
  }

  #createGroup(
    mentions: Mention[],
    existing: ExistingGuardian | null,
    { email, phone }: { email: string | null; phone: string | null },
  ): GuardianGroup {
    const number = this.#usablePhone(phone)
    return {
      mentions,
      existing,
      emails: new Set(email === null ? [] : [toMailbox(email)]),
      phones: new Set(number === null ? [] : [number]),
    }
  }

  #groupsOf(mentions: Mention[]): GuardianGroup[] {
    return [...new Set(mentions.map((mention) => getOrThrow(this.groups, mention)))]
  }

  #groupOfExisting(guardian: ExistingGuardian): GuardianGroup {
    const { id } = guardian.row
    const group = this.#existingGroups.get(id) ?? this.#createGroup([], guardian, guardian.row)
    this.#existingGroups.set(id, group)
    return group
  }

  #withExisting(groups: GuardianGroup[], guardian: ExistingGuardian | undefined): GuardianGroup[] {
    if (!guardian) return groups
    // A group that already has another guardian of the dojo is a different person.
    const possibleGroups = groups.filter(
      ({ existing }) => existing === null || existing === guardian,
    )
    return [...new Set([this.#groupOfExisting(guardian), ...possibleGroups])]
  }

  /** Merges groups into the largest one, unless the dojo has a different guardian for each. */
  #join(groups: GuardianGroup[]): void {
    const [target, ...sources] = [...new Set(groups)].toSorted(
      (a, b) => b.mentions.length - a.mentions.length,
    )
    for (const group of sources) {
      if (!target || (group.existing && target.existing && group.existing !== target.existing))
        continue
      target.existing ??= group.existing
      if (target.existing) this.#existingGroups.set(target.existing.row.id, target)
      for (const mention of group.mentions) target.mentions.push(mention)
      for (const email of group.emails) target.emails.add(email)
      for (const phone of group.phones) target.phones.add(phone)
      for (const mention of group.mentions) this.groups.set(mention, target)
    }
  }
}

const certainKeysOf = ({ email, parentRow }: Mention): string[] => [
  ...(email === null ? [] : [`email ${email}`]),
  ...(parentRow === null ? [] : [`row ${parentRow}`]),
]

function ownersOfEmails(
  families: Map<number, RowFamily>,
  studentOfRow: Map<number, PlannedStudent>,
  today: string,
) {
  const owners = new Map<string, { row: number; name: string }>()
  for (const [row, { ownEmail }] of families) {
    const student = studentOfRow.get(row)
    if (!student || ownEmail === null || owners.has(ownEmail)) continue
    if (hasReachedAge(student.person.date_of_birth, ADULT_AGE, today, { unknown: false }))
      owners.set(ownEmail, { row, name: nameKey(student.person.name) })
  }
  return owners
}

function findLinkedGuardian(
  { row, name }: Mention,
  studentOfRow: Map<number, PlannedStudent>,
  dojo: DojoRecords,
): ExistingGuardian | undefined {
  const student = studentOfRow.get(row)
  if (!student?.existing || name === null) return undefined
  const linkedGuardians = [dojo.guardiansOf, dojo.formerGuardiansOf].flatMap(
    (guardiansByStudent) => guardiansByStudent.get(student.id) ?? [],
  )
  const namesake = linkedGuardians.find((guardian) => nameKey(guardian.name) === nameKey(name))
  return namesake && dojo.guardianById.get(namesake.id)
}

function bucketsBy(
  mentions: Mention[],
  keysOf: (mention: Mention) => string[],
): Map<string, Mention[]> {
  const buckets = new Map<string, Mention[]>()
  for (const mention of mentions)
    for (const key of keysOf(mention)) {
      const bucket = buckets.get(key)
      if (bucket) bucket.push(mention)
      else buckets.set(key, [mention])
    }
  return buckets
}

const nameKeysOfMention = ({ name, child }: Mention): string[] =>
  name === null ? [] : nameKeysOf(name, child)

const guardianNameOf = ({ mentions, existing }: GuardianGroup): string =>
  existing?.row.name ?? mentions.find(({ name }) => name !== null)?.name ?? ''

function haveCommonValue(values: Set<string>[]): boolean {
  const [firstSet, ...otherSets] = values.filter((set) => set.size > 0)
  if (firstSet === undefined) return true
  return [...firstSet].some((value) => otherSets.every((set) => set.has(value)))
}

/** For groups with the same number and name. For "Mom" the children must share a surname. */
function isSameByPhone(groups: GuardianGroup[]): boolean {
  return (
    haveCommonValue(groups.map(({ emails }) => emails)) &&
    (hasFullName(groups) || shareSurname(groups))
  )
}

/** A name alone is not enough to match a guardian of the dojo, so we ask. */
function isSameByName(groups: GuardianGroup[]): boolean {
  return (
    hasFullName(groups) &&
    groups.every(({ existing }) => existing === null) &&
    haveCommonValue(groups.map(({ emails }) => emails)) &&
    haveCommonValue(groups.map(({ phones }) => phones))
  )
}

const hasFullName = (groups: GuardianGroup[]) =>
  groups.some((group) => isFullName(guardianNameOf(group)))

function shareSurname(groups: GuardianGroup[]): boolean {
  const students = groups.flatMap(studentsOf)
  const surnameGroups = new Groups<number>()
  for (const [index, keys] of surnameKeys(students).entries()) surnameGroups.addKeys(index, keys)
  return new Set(students.map((_, index) => surnameGroups.rootOf(index))).size <= 1
}

const studentsOf = ({ mentions, existing }: GuardianGroup): string[] => [
  ...(existing?.students ?? []),
  ...mentions.map(({ child }) => child),
]

/** Each group has an email and a number, and no two groups share one. */
function areClearlyDifferent(groups: GuardianGroup[]): boolean {
  const areDifferent = (values: Set<string>[]) => {
    const count = values.reduce((sum, set) => sum + set.size, 0)
    return (
      values.every((set) => set.size > 0) &&
      new Set(values.flatMap((set) => [...set])).size === count
    )
  }
  return (
    areDifferent(groups.map(({ emails }) => emails)) &&
    areDifferent(groups.map(({ phones }) => phones))
  )
}

const partiesOf = ({ mentions, existing }: GuardianGroup): Party[] => [
  ...(existing ? [partyOfGuardian(existing)] : []),
  ...mentions.map(({ row, child, name, email, phone }) => ({
    row,
    students: [child],
    guardian: name,
    contacts: [],
    emails: email === null ? [] : [email],
    phones: phone === null ? [] : [phone],
  })),
]
