CREATE TABLE "charges" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"year" smallint,
	"month" smallint,
	"note" text,
	"charged_on" date NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "charges_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "charges_month" CHECK (("charges"."kind" in ('month', 'late_fee')) = (num_nonnulls("charges"."year", "charges"."month") = 2))
);
--> statement-breakpoint
ALTER TABLE "charges" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ledger_lines" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"act_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"charge_id" uuid,
	"kind" text NOT NULL,
	"amount" integer NOT NULL,
	"reason" text,
	"method" text,
	"note" text,
	"made_on" date NOT NULL,
	"reverses" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "ledger_lines_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "ledger_lines_reversed_once" UNIQUE("dojo_id","reverses")
);
--> statement-breakpoint
ALTER TABLE "ledger_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "open_months" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"month" date NOT NULL,
	"since" date NOT NULL,
	CONSTRAINT "open_months_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "open_months" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_charge" FOREIGN KEY ("dojo_id","charge_id") REFERENCES "public"."charges"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_reversal" FOREIGN KEY ("dojo_id","reverses") REFERENCES "public"."ledger_lines"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "charges_of_month" ON "charges" USING btree ("dojo_id","student_id","year","month","kind") WHERE year is not null;--> statement-breakpoint
CREATE INDEX "charges_of_student" ON "charges" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_of_student" ON "ledger_lines" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_of_charge" ON "ledger_lines" USING btree ("dojo_id","charge_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_of_act" ON "ledger_lines" USING btree ("dojo_id","act_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_by_day" ON "ledger_lines" USING btree ("dojo_id","made_on");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "charges" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "charges" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "ledger_lines" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "ledger_lines" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "open_months" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "open_months" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- What was recorded as paid becomes a charge and its payment, by one act, on the day when it was marked; months that were not paid owe nothing.
-- Ids follow from the record, so that a restored backup gets the same. The owner of a table is bound by its policies otherwise.
ALTER TABLE "payment_records" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE FUNCTION "id_of_record"("what" text, "record" payment_records) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT overlay(overlay(md5(concat_ws(' ', what, record.dojo_id, record.student_id, record.payment_year, record.payment_month))
    PLACING '8' FROM 13 FOR 1) PLACING 'a' FROM 17 FOR 1)::uuid
$$;--> statement-breakpoint
INSERT INTO "charges" ("dojo_id", "id", "student_id", "kind", "year", "month", "charged_on", "created_at")
  SELECT dojo_id, id_of_record('charge', r), student_id, 'month', payment_year, payment_month, make_date(payment_year, payment_month + 1, 1), marked_at
  FROM payment_records r WHERE payment_status = 'paid';--> statement-breakpoint
INSERT INTO "ledger_lines" ("dojo_id", "id", "act_id", "student_id", "charge_id", "kind", "amount", "reason", "made_on", "created_at")
  SELECT r.dojo_id, id_of_record('line of ' || l.kind, r), id_of_record('act', r), student_id, id_of_record('charge', r), l.kind, l.sign * amount,
    CASE l.kind WHEN 'charge' THEN price_reason END, (marked_at AT TIME ZONE d.time_zone)::date, marked_at
  FROM payment_records r JOIN dojos d ON d.id = r.dojo_id, (VALUES ('charge', 1), ('payment', -1)) l (kind, sign)
  WHERE payment_status = 'paid';--> statement-breakpoint
DROP FUNCTION "id_of_record";--> statement-breakpoint
ALTER TABLE "payment_records" FORCE ROW LEVEL SECURITY;
