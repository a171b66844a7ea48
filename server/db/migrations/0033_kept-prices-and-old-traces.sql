ALTER TABLE "students" ADD COLUMN "kept_price" integer;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "kept_price_reason" text;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "kept_price_month" date;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_kept_price" CHECK (num_nonnulls("students"."kept_price", "students"."kept_price_month") in (0, 2));--> statement-breakpoint
-- The owner of a table is bound by its policies otherwise.
ALTER TABLE "students" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "guardians" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "guardianships" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "instructors" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notifications" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notification_students" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "open_months" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
-- The ledger of a dojo that has none yet begins now.
INSERT INTO "open_months" ("dojo_id", "month", "since")
  SELECT id, date_trunc('month', now() AT TIME ZONE time_zone), date_trunc('month', now() AT TIME ZONE time_zone) FROM "dojos"
  ON CONFLICT DO NOTHING;--> statement-breakpoint
-- A guardian's consent to the log-in of a child goes on the 18th birthday; here also of those who were 18 before that was so.
UPDATE "guardianships" gs SET "allows_log_in" = false, "log_in_consent_at" = NULL, "log_in_consent_source" = NULL, "log_in_consent_wording" = NULL
  FROM "students" s, "dojos" d
  WHERE s.dojo_id = gs.dojo_id AND s.id = gs.student_id AND d.id = gs.dojo_id
    AND (s.date_of_birth + interval '18 years')::date <= (now() AT TIME ZONE d.time_zone)::date;--> statement-breakpoint
-- Older notices to guardians do not record whom they name, so they could not be reworded when a right ends. Those with a sum or with
-- the name of one of the guardian's students go.
DELETE FROM "notifications" n USING "guardians" g
  WHERE g.dojo_id = n.dojo_id AND g.account_id = n.account_id AND n.student_id IS NULL
    AND NOT EXISTS (SELECT FROM "notification_students" ns WHERE ns.dojo_id = n.dojo_id AND ns.notification_id = n.id)
    AND NOT EXISTS (SELECT FROM "instructors" i WHERE i.dojo_id = n.dojo_id AND i.id = n.account_id)
    AND (n.message ~ '\$\s?\d' OR EXISTS (
      SELECT FROM "guardianships" gs JOIN "students" s ON s.dojo_id = gs.dojo_id AND s.id = gs.student_id
      WHERE gs.dojo_id = g.dojo_id AND gs.guardian_id = g.id
        AND position(lower(split_part(s.name, ' ', 1)) IN lower(n.title || ' ' || n.message)) > 0));--> statement-breakpoint
ALTER TABLE "open_months" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notification_students" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notifications" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "instructors" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "guardianships" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "guardians" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "students" FORCE ROW LEVEL SECURITY;
