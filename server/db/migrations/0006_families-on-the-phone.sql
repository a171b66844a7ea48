CREATE TABLE "guardian_phones" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"phone" text NOT NULL,
	"guardian_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "guardian_phones_dojo_id_phone_guardian_id_pk" PRIMARY KEY("dojo_id","phone","guardian_id")
);
--> statement-breakpoint
ALTER TABLE "guardian_phones" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "guardianships" ADD COLUMN "agrees_to_fees" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "guardianships" ADD COLUMN "agrees_to_edit" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "opens" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "amount" integer;--> statement-breakpoint
ALTER TABLE "guardian_phones" ADD CONSTRAINT "guardian_phones_guardian" FOREIGN KEY ("dojo_id","guardian_id") REFERENCES "public"."guardians"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guardian_phones_of_guardian" ON "guardian_phones" USING btree ("dojo_id","guardian_id");--> statement-breakpoint
CREATE INDEX "guardian_phones_of_phone" ON "guardian_phones" USING btree ("phone","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "guardian_phones" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "guardian_phones" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);