/** This is a union-find: members of a group have the same root. */
export class Groups<T> {
  private readonly parents = new Map<T, T>()
  private readonly memberByKey = new Map<string, T>()

  rootOf(member: T): T {
    let root = member
    for (let parent = this.parents.get(root); parent !== undefined; parent = this.parents.get(root))
      root = parent
    let descendant = member
    while (descendant !== root) {
      const parent = this.parents.get(descendant) ?? root
      this.parents.set(descendant, root)
      descendant = parent
    }
    return root
  }

  join(member: T, otherMember: T): void {
    const root = this.rootOf(member)
    const otherRoot = this.rootOf(otherMember)
    if (root !== otherRoot) this.parents.set(otherRoot, root)
  }

  addKeys(member: T, keys: Iterable<string>): void {
    for (const key of keys) {
      const earlierMember = this.memberByKey.get(key)
      if (earlierMember === undefined) this.memberByKey.set(key, member)
      else this.join(earlierMember, member)
    }
  }
}
