/** A union-find: all members of a group have the same root. */
export class Groups<Member> {
  private readonly parents = new Map<Member, Member>()
  private readonly memberByKey = new Map<string, Member>()

  findRoot(member: Member): Member {
    let root = member
    let parentOfRoot = this.parents.get(root)
    while (parentOfRoot !== undefined) {
      root = parentOfRoot
      parentOfRoot = this.parents.get(root)
    }
    // Shortens the path for later calls.
    let descendant = member
    while (descendant !== root) {
      const parent = this.parents.get(descendant) ?? root
      this.parents.set(descendant, root)
      descendant = parent
    }
    return root
  }

  join(member: Member, otherMember: Member): void {
    const root = this.findRoot(member)
    const otherRoot = this.findRoot(otherMember)
    if (root !== otherRoot) this.parents.set(otherRoot, root)
  }

  /** Joins the member with all members that have one of these keys. */
  addKeys(member: Member, keys: Iterable<string>): void {
    for (const key of keys) {
      const earlierMember = this.memberByKey.get(key)
      if (earlierMember === undefined) this.memberByKey.set(key, member)
      else this.join(earlierMember, member)
    }
  }
}
