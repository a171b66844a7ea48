CREATE TABLE "belt_changes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"belt_level" text NOT NULL,
	"previous_belt" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" uuid NOT NULL,
	CONSTRAINT "belt_changes_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "belt_changes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "student_notes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"allergies" text,
	"medical_note" text,
	"private_notes" text,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" uuid NOT NULL,
	CONSTRAINT "student_notes_dojo_id_student_id_pk" PRIMARY KEY("dojo_id","student_id")
);
--> statement-breakpoint
ALTER TABLE "student_notes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "vacation_from" date;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "vacation_until" date;--> statement-breakpoint
ALTER TABLE "belt_changes" ADD CONSTRAINT "belt_changes_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_notes" ADD CONSTRAINT "student_notes_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "belt_changes_of_student" ON "belt_changes" USING btree ("dojo_id","student_id","id");--> statement-breakpoint
CREATE INDEX "students_vacation_begins" ON "students" USING btree ("vacation_from","dojo_id") WHERE vacation_from is not null and not on_vacation;--> statement-breakpoint
CREATE INDEX "students_vacation_ends" ON "students" USING btree ("vacation_until","dojo_id") WHERE vacation_until is not null;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_vacation_dates" CHECK ("students"."vacation_until" is null or "students"."vacation_from" <= "students"."vacation_until");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "belt_changes" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "belt_changes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "student_notes" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "student_notes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- Written by hand: the list of students, which is cached (decision 11), says who has a medical note.
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "student_notes" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();
