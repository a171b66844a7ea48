/** Puts together what has a key in common, also by way of others, in a time that grows with the number of keys alone. */
export class Groups<T> {
  private readonly parents = new Map<T, T>()
  private readonly memberByKey = new Map<string, T>()

  /** What stands for the whole group of the member. */
  rootOf(member: T): T {
    let root = member
    for (let parent = this.parents.get(root); parent !== undefined; parent = this.parents.get(root))
      root = parent
    // Later look-ups of everybody on the way are one step.
    let step = member
    while (step !== root) {
      const next = this.parents.get(step) ?? root
      this.parents.set(step, root)
      step = next
    }
    return root
  }

  /** Puts the two groups together; what stood for the first stands for both. */
  join(member: T, otherMember: T): void {
    const root = this.rootOf(member)
    const otherRoot = this.rootOf(otherMember)
    if (root !== otherRoot) this.parents.set(otherRoot, root)
  }

  /** Joins the member with whoever has had one of these keys. */
  addKeys(member: T, keys: Iterable<string>): void {
    for (const key of keys) {
      const earlierMember = this.memberByKey.get(key)
      if (earlierMember === undefined) this.memberByKey.set(key, member)
      else this.join(earlierMember, member)
    }
  }
}
