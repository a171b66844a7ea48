CREATE TABLE "follow_plans" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"version" smallint NOT NULL,
	"is_on" boolean NOT NULL,
	"steps" jsonb NOT NULL,
	"starts_from" date,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "follow_plans_dojo_id_version_pk" PRIMARY KEY("dojo_id","version")
);
--> statement-breakpoint
ALTER TABLE "follow_plans" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "followups" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"plan_version" smallint NOT NULL,
	"started_on" date NOT NULL,
	"position" smallint NOT NULL,
	"day" smallint NOT NULL,
	"kind" text NOT NULL,
	"words" text NOT NULL,
	"condition" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"closed_on" date,
	"closed_at" timestamp with time zone,
	"closed_by" uuid,
	"skipped_why" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "followups_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "followups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "lead_sources" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"monthly_cost" integer,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "lead_sources_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "lead_sources" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "last_source" text;--> statement-breakpoint
ALTER TABLE "followups" ADD CONSTRAINT "followups_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "followups_of_student" ON "followups" USING btree ("dojo_id","student_id","started_on","position");--> statement-breakpoint
CREATE INDEX "followups_open" ON "followups" USING btree ("dojo_id","student_id") WHERE state = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "lead_sources_name" ON "lead_sources" USING btree ("dojo_id","name");--> statement-breakpoint
CREATE INDEX "lead_sources_code" ON "lead_sources" USING btree ("code");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "follow_plans" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "follow_plans" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "followups" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "followups" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "lead_sources" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "lead_sources" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);