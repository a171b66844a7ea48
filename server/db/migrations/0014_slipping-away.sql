CREATE TABLE "slipping_texts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"sent_on" date NOT NULL,
	"counts_from" date NOT NULL,
	CONSTRAINT "slipping_texts_dojo_id_student_id_batch_id_pk" PRIMARY KEY("dojo_id","student_id","batch_id")
);
--> statement-breakpoint
ALTER TABLE "slipping_texts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "past_vacations" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"vacation_from" date NOT NULL,
	"vacation_until" date NOT NULL,
	CONSTRAINT "past_vacations_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "past_vacations_dates" CHECK ("past_vacations"."vacation_from" <= "past_vacations"."vacation_until")
);
--> statement-breakpoint
ALTER TABLE "past_vacations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "departures" ADD COLUMN "belt_level" text;--> statement-breakpoint
ALTER TABLE "departures" ADD COLUMN "joined_month" date;--> statement-breakpoint
ALTER TABLE "slipping_texts" ADD CONSTRAINT "slipping_texts_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slipping_texts" ADD CONSTRAINT "slipping_texts_batch" FOREIGN KEY ("dojo_id","batch_id") REFERENCES "public"."message_batches"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "past_vacations" ADD CONSTRAINT "past_vacations_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "past_vacations_of_student" ON "past_vacations" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "attendance_of_student" ON "attendance" USING btree ("dojo_id","student_id","class_date") WHERE present;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "slipping_texts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "slipping_texts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "past_vacations" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "past_vacations" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);