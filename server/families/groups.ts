/** Groups members that share a key, directly or through others (union-find). */
export class Groups<T> {
  private readonly parents = new Map<T, T>()
  private readonly memberByKey = new Map<string, T>()

  rootOf(member: T): T {
    let root = member
    for (let parent = this.parents.get(root); parent !== undefined; parent = this.parents.get(root))
      root = parent
    let step = member
    while (step !== root) {
      const next = this.parents.get(step) ?? root
      this.parents.set(step, root)
      step = next
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
