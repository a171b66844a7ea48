CREATE TABLE "late_fee_rules" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"grace_days" smallint NOT NULL,
	"percent" smallint,
	"amount" integer,
	CONSTRAINT "late_fee_rules_dojo_id_pk" PRIMARY KEY("dojo_id"),
	CONSTRAINT "late_fee_rules_one_kind" CHECK (num_nonnulls("late_fee_rules"."percent", "late_fee_rules"."amount") = 1)
);
--> statement-breakpoint
ALTER TABLE "late_fee_rules" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "payment_promises" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"promised_on" date NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by_act" uuid,
	CONSTRAINT "payment_promises_dojo_id_id_student_id_pk" PRIMARY KEY("dojo_id","id","student_id")
);
--> statement-breakpoint
ALTER TABLE "payment_promises" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "payment_promises" ADD CONSTRAINT "payment_promises_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_promises_open" ON "payment_promises" USING btree ("dojo_id","student_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "payment_promises_ended_by_act" ON "payment_promises" USING btree ("dojo_id","ended_by_act") WHERE ended_by_act is not null;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "late_fee_rules" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "late_fee_rules" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "payment_promises" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "payment_promises" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);