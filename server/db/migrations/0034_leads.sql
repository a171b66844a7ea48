CREATE TABLE "lead_events" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"lead_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"note" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "lead_events_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "lead_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "lead_visitors" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"lead_id" uuid NOT NULL,
	"name" text NOT NULL,
	"age" smallint,
	"student_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "lead_visitors_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "lead_visitors" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "interest" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "next_step" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "next_step_on" date;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "merged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "lead_events" ADD CONSTRAINT "lead_events_lead" FOREIGN KEY ("dojo_id","lead_id") REFERENCES "public"."leads"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_visitors" ADD CONSTRAINT "lead_visitors_lead" FOREIGN KEY ("dojo_id","lead_id") REFERENCES "public"."leads"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_events_of_lead" ON "lead_events" USING btree ("dojo_id","lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lead_visitors_names" ON "lead_visitors" USING btree ("dojo_id","lead_id","name");--> statement-breakpoint
CREATE INDEX "leads_by_next_step" ON "leads" USING btree ("dojo_id","next_step_on");--> statement-breakpoint
CREATE INDEX "leads_by_merge" ON "leads" USING btree ("dojo_id","merged_into");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "lead_events" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "lead_events" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "lead_visitors" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "lead_visitors" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);