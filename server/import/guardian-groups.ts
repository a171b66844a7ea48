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
  studentByRow: Map<number, PlannedStudent>,
  dojo: DojoRecords,
  answers: FamilyAnswers,
  toUsablePhone: ToUsablePhone,
  today: string,
): Promise<Grouping> {
  const mentions = [...families.values()].flatMap(({ guardians }) => guardians)
  const grouper = new GuardianGrouper(answers, toUsablePhone)
  await mapInSlices(mentions, (mention) => grouper.add(mention))
  const ownerByEmail = findEmailOwners(families, studentByRow, today)
  await mapInSlices(mentions, (mention) => {
    const owner = mention.email === null ? undefined : ownerByEmail.get(mention.email)
    const isOwner = mention.name === null || nameKey(mention.name) === owner?.name
    const isAnotherPerson = nameKey(mention.child) !== owner?.name
    if (owner && isOwner && isAnotherPerson) mention.parentRow ??= owner.row
    const linkedGuardian = findLinkedGuardian(mention, studentByRow, dojo)
    if (linkedGuardian) grouper.joinExisting(mention, linkedGuardian)
  })
  await mapInSlices([...groupByKeys(mentions, listCertainKeys).values()], (bucket) =>
    grouper.joinMentions(bucket),
  )
  await mapInSlices(mentions, (mention) => {
    const email = grouper.emailOf(mention)
    const guardian = email === undefined ? undefined : dojo.guardianByEmail.get(email)
    if (guardian) grouper.joinExisting(mention, guardian)
  })
  const listPhoneKeys = ({ name, phone }: Mention): string[] => {
    const number = toUsablePhone(phone)
    return number === null || name === null ? [] : [`phone ${number} ${nameKey(name)}`]
  }
  await mapInSlices([...groupByKeys(mentions, listPhoneKeys)], ([key, bucket]) =>
    grouper.joinOrAsk(bucket, dojo.guardianByPhone.get(key), isSameByPhone),
  )
  await mapInSlices([...groupByKeys(mentions, listNameKeys)], ([key, bucket]) =>
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
  readonly #toUsablePhone: ToUsablePhone

  constructor(answers: FamilyAnswers, toUsablePhone: ToUsablePhone) {
    this.#answers = answers
    this.#toUsablePhone = toUsablePhone
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
    // A group of another existing guardian is a different person.
    const possibleGroups = groups.filter(
      ({ existing }) => existing === null || existing === guardian,
    )
    return [...new Set([this.#groupOfExisting(guardian), ...possibleGroups])]
  }

  /** Merges groups into the largest one, except groups of different existing guardians. */
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

const listCertainKeys = ({ email, parentRow }: Mention): string[] => [
  ...(email === null ? [] : [`email ${email}`]),
  ...(parentRow === null ? [] : [`row ${parentRow}`]),
]

function findEmailOwners(
  families: Map<number, RowFamily>,
  studentByRow: Map<number, PlannedStudent>,
  today: string,
) {
  const owners = new Map<string, { row: number; name: string }>()
  for (const [row, { ownEmail }] of families) {
    const student = studentByRow.get(row)
    if (!student || ownEmail === null || owners.has(ownEmail)) continue
    if (hasReachedAge(student.person.date_of_birth, ADULT_AGE, today, { unknown: false }))
      owners.set(ownEmail, { row, name: nameKey(student.person.name) })
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
  const linkedGuardians = [dojo.guardiansByStudent, dojo.formerGuardiansByStudent].flatMap(
    (guardianLists) => guardianLists.get(student.id) ?? [],
  )
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

function haveCommonValue(values: Set<string>[]): boolean {
  const [firstSet, ...otherSets] = values.filter((set) => set.size > 0)
  if (firstSet === undefined) return true
  return [...firstSet].some((value) => otherSets.every((set) => set.has(value)))
}

/** Groups with the same number and name are one guardian unless the emails differ. If the name is
 *  only "Mom", the children must also share a surname. */
function isSameByPhone(groups: GuardianGroup[]): boolean {
  return (
    haveCommonValue(groups.map(({ emails }) => emails)) &&
    (hasFullName(groups) || shareSurname(groups))
  )
}

/** A name is not enough to match an existing guardian, so we ask about those. */
function isSameByName(groups: GuardianGroup[]): boolean {
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
  ...(existing?.students ?? []),
  ...mentions.map(({ child }) => child),
]

/** True if each group has an email and a number, and no two groups have one in common. */
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

const toParties = ({ mentions, existing }: GuardianGroup): Party[] => [
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
