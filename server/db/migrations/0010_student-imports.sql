CREATE TABLE "student_imports" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"actor_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	"details" jsonb NOT NULL,
	CONSTRAINT "student_imports_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "student_imports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "student_imports_oldest" ON "student_imports" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "student_imports" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "student_imports" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);