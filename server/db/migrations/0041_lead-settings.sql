CREATE TABLE "lead_settings" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"kept_months" smallint NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "lead_settings_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "lead_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "lead_spoken_consents" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"lead_id" uuid NOT NULL,
	"said_on" date NOT NULL,
	"words" text NOT NULL,
	"recorded_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "lead_spoken_consents_dojo_id_lead_id_pk" PRIMARY KEY("dojo_id","lead_id")
);
--> statement-breakpoint
ALTER TABLE "lead_spoken_consents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "deletion_on" date;--> statement-breakpoint
ALTER TABLE "lead_spoken_consents" ADD CONSTRAINT "lead_spoken_consents_lead" FOREIGN KEY ("dojo_id","lead_id") REFERENCES "public"."leads"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "lead_settings" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "lead_settings" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "lead_spoken_consents" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "lead_spoken_consents" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);