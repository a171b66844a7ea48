-- A guardian who trains could have a row as a guardian and another one as a student. All of it moves
-- to one of both: to the one with autopay, or else to the guardian's.
ALTER TABLE "online_payers" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "online_payments" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "pay_links" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "stripe_customers" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "saved_methods" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "method_setups" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "autopay_agreements" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "autopay_agreements" DISABLE TRIGGER "keep_autopay_agreement";--> statement-breakpoint
DO $$
declare
  pair record;
begin
  for pair in
    with pairs as (
      select g.dojo_id, g.id as guardian_row, s.id as student_row,
        exists (select from autopay_agreements a where a.dojo_id = s.dojo_id
            and a.payer_id = s.id and a.ended_at is null)
          and not exists (select from autopay_agreements a where a.dojo_id = g.dojo_id
            and a.payer_id = g.id and a.ended_at is null) as keeps_student
      from online_payers g
      join online_payers s on s.dojo_id = g.dojo_id and s.student_id = g.guardian_id)
    select dojo_id,
      case when keeps_student then student_row else guardian_row end as kept_id,
      case when keeps_student then guardian_row else student_row end as other_id
    from pairs
  loop
    update autopay_agreements set ended_at = now(), ended_way = 'server', end_reason = 'changed'
      where dojo_id = pair.dojo_id and payer_id = pair.other_id and ended_at is null;
    update saved_methods set stopped_at = now(), stop_reason = 'replaced', next_check_at = now()
      where dojo_id = pair.dojo_id and payer_id = pair.other_id and stopped_at is null;
    update method_setups set state = 'expired'
      where dojo_id = pair.dojo_id and payer_id = pair.other_id and state = 'open';
    update autopay_agreements set payer_id = pair.kept_id
      where dojo_id = pair.dojo_id and payer_id = pair.other_id;
    update saved_methods set payer_id = pair.kept_id
      where dojo_id = pair.dojo_id and payer_id = pair.other_id;
    update method_setups set payer_id = pair.kept_id
      where dojo_id = pair.dojo_id and payer_id = pair.other_id;
    update stripe_customers set payer_id = pair.kept_id
      where dojo_id = pair.dojo_id and payer_id = pair.other_id;
    update pay_links set payer_id = pair.kept_id
      where dojo_id = pair.dojo_id and payer_id = pair.other_id;
    update online_payments set payer_id = pair.kept_id
      where dojo_id = pair.dojo_id and payer_id = pair.other_id;
    delete from online_payers where dojo_id = pair.dojo_id and id = pair.other_id;
  end loop;
end $$;--> statement-breakpoint
CREATE UNIQUE INDEX "online_payers_of_person" ON "online_payers" USING btree ("dojo_id",coalesce("guardian_id", "student_id"));--> statement-breakpoint
ALTER TABLE "autopay_agreements" ENABLE TRIGGER "keep_autopay_agreement";--> statement-breakpoint
ALTER TABLE "online_payers" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "online_payments" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "pay_links" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "stripe_customers" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "saved_methods" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "method_setups" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "autopay_agreements" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
-- Somebody who trains and is a guardian stays a payer if only one of both is deleted.
CREATE FUNCTION "keep_payer_as_guardian"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  update online_payers set guardian_id = old.id, student_id = null
    where dojo_id = old.dojo_id and student_id = old.id and exists (
      select from guardians where dojo_id = old.dojo_id and id = old.id);
  return old;
end $$;--> statement-breakpoint
CREATE TRIGGER "keep_payer_as_guardian" BEFORE DELETE ON "students"
  FOR EACH ROW EXECUTE FUNCTION keep_payer_as_guardian();--> statement-breakpoint
CREATE FUNCTION "keep_payer_as_student"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  update online_payers set student_id = old.id, guardian_id = null
    where dojo_id = old.dojo_id and guardian_id = old.id and exists (
      select from students where dojo_id = old.dojo_id and id = old.id);
  return old;
end $$;--> statement-breakpoint
CREATE TRIGGER "keep_payer_as_student" BEFORE DELETE ON "guardians"
  FOR EACH ROW EXECUTE FUNCTION keep_payer_as_student();
