import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { hasReachedAge } from '../guardians/ages.ts'
import { isFullName, toMailbox, nameKey, listSurnames } from '../families/names-and-contacts.ts'
import { Groups } from '../families/groups.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { getOrThrow } from '../lib/rows.ts'
import type { Mention, RowFamily } from './families.ts'
import {
  buildFamilyQuestion,
  type FamilyAnswers,
  MAX_SIDES,
  type Party,
  type ToUsablePhone,
} from './family-questions.ts'
import {
  type DojoRecords,
  type ExistingGuardian,
  guardianNameKeys,
  guardianToParty,
} from './dojo-records.ts'
import type { PlannedStudent } from './plan.ts'

export type GuardianGroup = {
  mentions: Mention[]
  existing: ExistingGuardian | null
  emails: Set<string>
  /** In E.164 format, without unusable numbers. */
  phones: Set<string>
}

type GuardianGrouping = {
  groupByMention: Map<Mention, GuardianGroup>
  questions: FamilyQuestion[]
}

/**
 * Mentions with the same email, the same number and name, or the same full name and children's
 * surname are one guardian. We ask if emails or numbers differ, if the name is vague ("Mom"), or if
 * the dojo already has a guardian with the name.
 */
export async function groupGuardians(
  families: Map<number, RowFamily>,
  studentByRow: Map<number, PlannedStudent>,
  dojo: DojoRecords,
  answers: FamilyAnswers,
  toUsablePhone: ToUsablePhone,
  today: string,
): Promise<GuardianGrouping> {
  const mentions = [...families.values()].flatMap(({ guardians }) => guardians)
  const grouper = new GuardianGrouper(answers, toUsablePhone)
  await mapInSlices(mentions, (mention) => grouper.add(mention))
  const ownerByEmail = findEmailOwners(families, studentByRow, today)
  await mapInSlices(mentions, (mention) => {
    const owner = mention.email === null ? undefined : ownerByEmail.get(mention.email)
    const mayBeOwner = mention.name === null || nameKey(mention.name) === owner?.nameKey
    const isChildOwner = nameKey(mention.child) === owner?.nameKey
    if (owner && mayBeOwner && !isChildOwner) mention.parentRow ??= owner.row
    const linkedGuardian = findLinkedGuardian(mention, studentByRow, dojo)
    if (linkedGuardian) grouper.joinExisting(mention, linkedGuardian)
  })
  await mapInSlices([...groupByKeys(mentions, listCertainKeys).values()], (bucket) =>
    grouper.joinMentions(bucket),
  )
  await mapInSlices(mentions, (mention) => {
    const email = grouper.findEmail(mention)
    const guardian = email === undefined ? undefined : dojo.guardianByEmail.get(email)
    if (guardian) grouper.joinExisting(mention, guardian)
  })
  const listPhoneKeys = ({ name, phone }: Mention): string[] => {
    const number = toUsablePhone(phone)
    return number === null || name === null ? [] : [`phone ${number} ${nameKey(name)}`]
  }
  await mapInSlices([...groupByKeys(mentions, listPhoneKeys)], ([key, bucket]) =>
    grouper.joinOrAsk(bucket, dojo.guardianByPhone.get(key), areSameByPhone),
  )
  await mapInSlices([...groupByKeys(mentions, listNameKeys)], ([key, bucket]) =>
    grouper.joinOrAsk(bucket, dojo.guardianByName.get(key), areSameByName),
  )
  return { groupByMention: grouper.groupByMention, questions: [...grouper.questions.values()] }
}

class GuardianGrouper {
  readonly groupByMention = new Map<Mention, GuardianGroup>()
  readonly questions = new Map<string, FamilyQuestion>()
  readonly #existingGroups = new Map<string, GuardianGroup>()
  readonly #answeredGroups: Set<GuardianGroup>[] = []
  readonly #answers: FamilyAnswers
  readonly #toUsablePhone: ToUsablePhone

  constructor(answers: FamilyAnswers, toUsablePhone: ToUsablePhone) {
    this.#answers = answers
    this.#toUsablePhone = toUsablePhone
  }

  add(mention: Mention): void {
    this.groupByMention.set(mention, this.#createGroup([mention], null, mention))
  }

  joinMentions(mentions: Mention[]): void {
    this.#join(this.#findGroups(mentions))
  }

  joinExisting(mention: Mention, guardian: ExistingGuardian): void {
    this.#join([
      getOrThrow(this.groupByMention, mention),
      this.#findOrCreateExistingGroup(guardian),
    ])
  }

  findEmail(mention: Mention): string | undefined {
    const [email] = getOrThrow(this.groupByMention, mention).emails
    return email
  }

  /** Joins namesakes if they are certainly one guardian. Asks unless they clearly differ. */
  joinOrAsk(
    mentions: Mention[],
    guardian: ExistingGuardian | undefined,
    areSameGuardian: (groups: GuardianGroup[]) => boolean,
  ): void {
    const namesakes = this.#addExistingGroup(this.#findGroups(mentions), guardian)
    if (namesakes.length <= 1) return
    if (areSameGuardian(namesakes)) {
      this.#join(namesakes)
      return
    }
    // Guardians who share a number often also share a name. We ask about them only once.
    const isAnswered = this.#answeredGroups.some((groups) =>
      namesakes.every((group) => groups.has(group)),
    )
    if (isAnswered || namesakes.length > MAX_SIDES || areClearlyDifferent(namesakes)) return
    const question = buildFamilyQuestion('guardian', namesakes.map(toParties), this.#answers)
    this.questions.set(question.id, question)
    this.#join(namesakes.filter((_, side) => question.joined_sides.includes(side)))
    if (question.is_one) this.#answeredGroups.push(new Set(namesakes))
  }

  #createGroup(
    mentions: Mention[],
    existing: ExistingGuardian | null,
    { email, phone }: { email: string | null; phone: string | null },
  ): GuardianGroup {
    const number = this.#toUsablePhone(phone)
    return {
      mentions,
      existing,
      emails: new Set(email === null ? [] : [toMailbox(email)]),
      phones: new Set(number === null ? [] : [number]),
    }
  }

  #findGroups(mentions: Mention[]): GuardianGroup[] {
    return [...new Set(mentions.map((mention) => getOrThrow(this.groupByMention, mention)))]
  }

  /** Returns the group of a guardian who is already in the dojo. */
  #findOrCreateExistingGroup(guardian: ExistingGuardian): GuardianGroup {
    const { id } = guardian.row
    const group = this.#existingGroups.get(id) ?? this.#createGroup([], guardian, guardian.row)
    this.#existingGroups.set(id, group)
    return group
  }

  #addExistingGroup(
    groups: GuardianGroup[],
    guardian: ExistingGuardian | undefined,
  ): GuardianGroup[] {
    if (!guardian) return groups
    // A group with another existing guardian is about a different person.
    const possibleGroups = groups.filter(
      ({ existing }) => existing === null || existing === guardian,
    )
    return [...new Set([this.#findOrCreateExistingGroup(guardian), ...possibleGroups])]
  }

  /** Merges the groups into the largest one, but never merges two existing guardians. */
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
      for (const mention of group.mentions) this.groupByMention.set(mention, target)
    }
  }
}

const listCertainKeys = ({ email, parentRow }: Mention): string[] => [
  ...(email === null ? [] : [`email ${email}`]),
  ...(parentRow === null ? [] : [`row ${parentRow}`]),
]

/** Email → the adult student who has it as their own. */
function findEmailOwners(
  families: Map<number, RowFamily>,
  studentByRow: Map<number, PlannedStudent>,
  today: string,
) {
  const owners = new Map<string, { row: number; nameKey: string }>()
  for (const [row, { ownEmail }] of families) {
    const student = studentByRow.get(row)
    if (!student || ownEmail === null || owners.has(ownEmail)) continue
    if (hasReachedAge(student.person.date_of_birth, ADULT_AGE, today, { unknown: false }))
      owners.set(ownEmail, { row, nameKey: nameKey(student.person.name) })
  }
  return owners
}

function findLinkedGuardian(
  { row, name }: Mention,
  studentByRow: Map<number, PlannedStudent>,
  dojo: DojoRecords,
): ExistingGuardian | undefined {
  const student = studentByRow.get(row)
  if (!student?.existing || name === null) return undefined
  const linkedGuardians = [
    ...(dojo.guardiansByStudent.get(student.id) ?? []),
    ...(dojo.formerGuardiansByStudent.get(student.id) ?? []),
  ]
  const namesake = linkedGuardians.find((guardian) => nameKey(guardian.name) === nameKey(name))
  return namesake && dojo.guardianById.get(namesake.id)
}

function groupByKeys(
  mentions: Mention[],
  listKeys: (mention: Mention) => string[],
): Map<string, Mention[]> {
  const buckets = new Map<string, Mention[]>()
  for (const mention of mentions)
    for (const key of listKeys(mention)) {
      const bucket = buckets.get(key)
      if (bucket) bucket.push(mention)
      else buckets.set(key, [mention])
    }
  return buckets
}

const listNameKeys = ({ name, child }: Mention): string[] =>
  name === null ? [] : guardianNameKeys(name, child)

const findGuardianName = ({ mentions, existing }: GuardianGroup): string =>
  existing?.row.name ?? mentions.find(({ name }) => name !== null)?.name ?? ''

/** Ignores empty sets. */
function haveCommonValue(sets: Set<string>[]): boolean {
  const [firstSet, ...otherSets] = sets.filter((set) => set.size > 0)
  if (firstSet === undefined) return true
  return [...firstSet].some((value) => otherSets.every((set) => set.has(value)))
}

/** Groups with the same number and name are one guardian unless the emails differ. If the name is
 *  only "Mom", the children must also share a surname. */
function areSameByPhone(groups: GuardianGroup[]): boolean {
  return (
    haveCommonValue(groups.map(({ emails }) => emails)) &&
    (hasFullName(groups) || shareSurname(groups))
  )
}

/** False for an existing guardian, because a name alone is not enough. We ask instead. */
function areSameByName(groups: GuardianGroup[]): boolean {
  return (
    hasFullName(groups) &&
    groups.every(({ existing }) => existing === null) &&
    haveCommonValue(groups.map(({ emails }) => emails)) &&
    haveCommonValue(groups.map(({ phones }) => phones))
  )
}

const hasFullName = (groups: GuardianGroup[]) =>
  groups.some((group) => isFullName(findGuardianName(group)))

function shareSurname(groups: GuardianGroup[]): boolean {
  const students = groups.flatMap(listStudents)
  const surnameGroups = new Groups<number>()
  for (const [index, keys] of listSurnames(students).entries()) surnameGroups.addKeys(index, keys)
  return new Set(students.map((_, index) => surnameGroups.findRoot(index))).size <= 1
}

const listStudents = ({ mentions, existing }: GuardianGroup): string[] => [
  ...(existing?.studentNames ?? []),
  ...mentions.map(({ child }) => child),
]

/** True if each group has an email and a number, and no two groups have one in common. */
function areClearlyDifferent(groups: GuardianGroup[]): boolean {
  const areDifferent = (sets: Set<string>[]) => {
    const values = sets.flatMap((set) => [...set])
    const hasRepeatedValue = new Set(values).size < values.length
    return sets.every((set) => set.size > 0) && !hasRepeatedValue
  }
  return (
    areDifferent(groups.map(({ emails }) => emails)) &&
    areDifferent(groups.map(({ phones }) => phones))
  )
}

const toParties = ({ mentions, existing }: GuardianGroup): Party[] => [
  ...(existing ? [guardianToParty(existing)] : []),
  ...mentions.map(({ row, child, name, email, phone }) => ({
    row,
    students: [child],
    guardian: name,
    contacts: [],
    emails: email === null ? [] : [email],
    phones: phone === null ? [] : [phone],
  })),
]
