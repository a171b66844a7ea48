CREATE TABLE "staff_members" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"instructor_id" uuid NOT NULL,
	"title" text,
	"is_owner" boolean DEFAULT false NOT NULL,
	"rights" text[] DEFAULT '{}' NOT NULL,
	"preset" text,
	"class_ids" uuid[],
	"starts_on" date,
	"ends_on" date,
	"ended_at" timestamp with time zone,
	"invited_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_members_dojo_id_instructor_id_pk" PRIMARY KEY("dojo_id","instructor_id"),
	CONSTRAINT "staff_members_owner" CHECK (not "staff_members"."is_owner" or ("staff_members"."class_ids" is null and "staff_members"."ended_at" is null))
);
--> statement-breakpoint
ALTER TABLE "staff_members" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "is_in_family_view" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "seen_as" jsonb;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "needed_right" text;--> statement-breakpoint
ALTER TABLE "staff_members" ADD CONSTRAINT "staff_members_instructor" FOREIGN KEY ("dojo_id","instructor_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "staff_members" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "staff_members" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "attendance" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "approvals" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "belt_changes" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "class_styles" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "ladders" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "outgrowing_notices" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "ranks" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "skill_checks" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "skills" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "styles" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "cash_counts" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "receipt_counters" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "receipt_lines" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "receipts" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "classes" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "text_consents" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "job_runs" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "candidates" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "certificate_counters" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "certificates" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "gradings" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "family_changes" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "guardian_phones" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "guardians" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "guardianships" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "log_in_invitations" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "unrelated_students" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "idempotency_keys" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "student_imports" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "check_in_codes" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "check_in_pins" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "kiosk_check_ins" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "kiosk_settings" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "kiosks" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "charges" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "late_fee_rules" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "ledger_lines" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "open_months" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "payment_promises" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "payment_records" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "notification_settings" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "notification_students" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "notifications" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "push_claims" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "push_subscriptions" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "dojo_logos" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "student_photos" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "instructors" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "slipping_texts" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "departures" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "enrolments" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "past_vacations" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "student_notes" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "students" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "allowance_days" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "allowance_entries" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "incoming_texts" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "message_batches" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "message_settings" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "messages" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "own_number_opt_outs" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "simulated_texts" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "texting_accounts" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "undeliverable_phones" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "place_requests" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "excuses" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "calendar_feeds" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "class_dates" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "holidays" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "sibling_prices" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "announcements" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "conversations" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "message_templates" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "phone_links" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
ALTER POLICY "dojo_isolation" ON "reply_actions" TO tatami_app,tatami_own_classes USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
-- From here on written by hand. Until now, every instructor ran the whole school.
ALTER TABLE instructors NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
INSERT INTO staff_members (dojo_id, instructor_id, is_owner, created_at)
  SELECT dojo_id, id, true, created_at FROM instructors;--> statement-breakpoint
ALTER TABLE instructors FORCE ROW LEVEL SECURITY;--> statement-breakpoint
-- A school with staff has at least one owner, whatever happens at the same time.
CREATE FUNCTION "keep_an_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM staff_members WHERE dojo_id = OLD.dojo_id AND is_owner FOR SHARE;
  IF NOT FOUND AND EXISTS (SELECT FROM staff_members WHERE dojo_id = OLD.dojo_id) THEN
    RAISE EXCEPTION 'A school needs an owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_members_has_owner';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "keep_an_owner" AFTER UPDATE OF is_owner OR DELETE ON "staff_members"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_owner) EXECUTE FUNCTION keep_an_owner();--> statement-breakpoint
-- The super admin's list now has only the owners.
DROP TRIGGER "list_sensei" ON "instructors";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "list_sensei"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dojos WHERE id = NEW.dojo_id FOR UPDATE;
  INSERT INTO sensei_directory (sensei_id, dojo_id, full_name, dojo_name, contact_number, email, city, state, total_students, is_active, created_at)
    SELECT i.id, i.dojo_id, i.name, d.name, i.phone_number, i.email, d.city, d.state,
      (SELECT count(*) FROM students s WHERE s.dojo_id = i.dojo_id AND s.left_on IS NULL), a.is_active, i.created_at
    FROM instructors i JOIN accounts a ON a.id = i.id JOIN dojos d ON d.id = i.dojo_id
    WHERE i.dojo_id = NEW.dojo_id AND i.id = NEW.instructor_id;
  UPDATE sensei_totals SET total_sensei = total_sensei + 1, active_sensei = active_sensei + a.is_active::int
    FROM accounts a WHERE a.id = NEW.instructor_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "list_added_owner" AFTER INSERT ON "staff_members"
  FOR EACH ROW WHEN (NEW.is_owner) EXECUTE FUNCTION list_sensei();--> statement-breakpoint
CREATE TRIGGER "list_new_owner" AFTER UPDATE OF is_owner ON "staff_members"
  FOR EACH ROW WHEN (NEW.is_owner AND NOT OLD.is_owner) EXECUTE FUNCTION list_sensei();--> statement-breakpoint
CREATE FUNCTION "unlist_former_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sensei_directory WHERE dojo_id = NEW.dojo_id AND sensei_id = NEW.instructor_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "unlist_former_owner" AFTER UPDATE OF is_owner ON "staff_members"
  FOR EACH ROW WHEN (OLD.is_owner AND NOT NEW.is_owner) EXECUTE FUNCTION unlist_former_owner();
